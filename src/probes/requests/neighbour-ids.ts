import { type NeighbourAim, neighbourAims } from '../moves/neighbour-aims.js'
import { otherQuantity, updateBody } from '../moves/pets.js'
import { defineProbe, type Pet, ProbeSkipped } from '../probe.js'
import { noSettings } from './no-settings.js'

const showsTwice = (pets: readonly Pet[]): boolean => new Set(pets.map(({ id }) => id)).size < pets.length

/** Another quantity, and not the neighbour's own: a write to the wrong entry has to show. */
const tellingQuantity = ({ pet, twin }: NeighbourAim): bigint =>
  [otherQuantity(pet.quantity), pet.quantity + 1n].find((each) => each !== twin?.quantity) ?? pet.quantity + 2n

/** Two entries that are neighbours, and the id beside a lone one; or a lone one, the id beside it, and a further one. */
const mostAims = 3

/** A reading before and one after each PATCH, and up to two changes and a reading to put both entries back. */
const requestsEach = 6

/** Patches ids above 2^53 and reads them and their neighbours; patches a neighbour that is not there. */
export const neighbourIds = defineProbe({
  id: 'neighbour-ids',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 2 + mostAims * requestsEach, strangers: 0, minutes: 0 }),
  async play(context) {
    const pets = await context.inventory('look')
    // A list that shows one id twice has lost its digits already: whose entry a PATCH would change can't be known.
    if (showsTwice(pets)) return
    const aims = neighbourAims(pets)
    if (aims.length === 0) throw new ProbeSkipped('no-large-ids')
    for (const aim of aims.slice(0, mostAims)) {
      const { step, addressed, neighbour, pet, twin } = aim
      const quantity = tellingQuantity(aim)
      await context.inventory('before')
      context.willTouch(pet)
      if (twin) context.willTouch(twin)
      await context.ask({
        step,
        operation: 'updateInventory',
        petId: addressed,
        body: updateBody(quantity),
        intent: { petId: String(addressed), neighbour: String(neighbour), quantity: String(quantity) },
      })
      await context.inventory('after')
      await context.restore()
    }
    await context.inventory('restored')
  },
})
