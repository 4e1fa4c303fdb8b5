import { defineProbe, type Pet, ProbeSkipped } from '../../probes/probe.js'
import { type NeighbourAim, neighbourAims } from './moves/neighbour-aims.js'
import { otherQuantity, updateOf } from './moves/pets.js'

const showsTwice = (pets: readonly Pet[]): boolean => new Set(pets.map(({ id }) => id)).size < pets.length

/** Another quantity than the pet's and than its neighbour's, so that a write to the wrong entry shows. */
const tellingQuantity = ({ pet, twin }: NeighbourAim): bigint =>
  [otherQuantity(pet.quantity), pet.quantity + 1n].find((each) => each !== twin?.quantity) ?? pet.quantity + 2n

/** PATCHes at most: of two neighbours and the id beside another entry; or of an entry, the id beside it, another. */
const mostAims = 3

/** A reading before and one after each PATCH, the PATCH, and two changes and a reading to put both entries back. */
const requestsEach = 6

/** Patches ids above 2^53 and reads them and their neighbours; patches a neighbour that is not there. */
export const neighbourIds = defineProbe({
  id: 'neighbour-ids',
  summary:
    'Changes pets whose ids are above 2^53, and reads the pets beside them: an id that is rounded hits the wrong one.',
  played: 'once',
  cost: () => ({ keyed: 2 + mostAims * requestsEach }),
  async play(context) {
    const pets = await context.inventory('look')
    // A list that shows an id twice has lost digits already: which entry a PATCH would change can't be known.
    if (showsTwice(pets)) return
    const aims = neighbourAims(pets)
    if (aims.length === 0) throw new ProbeSkipped('no-large-ids')
    for (const aim of aims.slice(0, mostAims)) {
      const { step, addressed, neighbour, pet, twin } = aim
      const quantity = tellingQuantity(aim)
      await context.inventory('before')
      context.willTouch(pet)
      if (twin) context.willTouch(twin)
      const update = updateOf(addressed, quantity)
      await context.ask({ step, ...update, intent: { ...update.intent, neighbour: String(neighbour) } })
      await context.inventory('after')
      await context.restore()
    }
    await context.inventory('restored')
  },
})
