import { exactDoubleLimit, int64 } from '../../contract/petstore/schemas.js'
import { otherQuantity, updateOf } from '../../probes/moves/pets.js'
import { defineProbe, type Pet, ProbeSkipped } from '../../probes/probe.js'

/** A PATCH between two readings of the list: of an entry, or of an id beside it that no entry has. */
interface NeighbourAim {
  readonly step: 'patch' | 'patch-absent'
  readonly addressed: bigint
  /** The id that is the same IEEE double, as 2^53 + 1 and 2^53 are: its entry has to stay as it is. */
  readonly neighbour: bigint
  /** The entry whose quantity the PATCH sets, or would set where the ids are confused. */
  readonly pet: Pet
  /** The other entry, where both ids have one. */
  readonly twin: Pet | undefined
}

const sameDouble = (a: bigint, b: bigint): boolean => a !== b && Number(a) === Number(b)

/** 2^53 is among them: it is what a double takes 2^53 + 1 for. */
const isLarge = ({ id }: Pet): boolean => id >= exactDoubleLimit || id <= -exactDoubleLimit

const isWithinInt64 = (id: bigint): boolean => id >= int64.min && id <= int64.max

const isOfAbsent = ({ step }: NeighbourAim): boolean => step === 'patch-absent'

/**
 * What to try on entries whose ids an IEEE double can't tell from their neighbours'. First two entries that are such
 * neighbours of each other, each to be patched; then entries without one, and the ids beside them that no entry has.
 * After two neighbours the latter go first, for that an entry is found by its id has been tried by then.
 */
export const neighbourAims = (pets: readonly Pet[]): NeighbourAim[] => {
  const ids = new Set(pets.map(({ id }) => id))
  const twins: NeighbourAim[] = []
  const lone: NeighbourAim[] = []
  for (const pet of pets.filter(isLarge)) {
    const twin = pets.find((other) => sameDouble(other.id, pet.id))
    if (twin) {
      twins.push({ step: 'patch', addressed: pet.id, neighbour: twin.id, pet, twin })
      continue
    }
    const free = [pet.id + 1n, pet.id - 1n].find((id) => isWithinInt64(id) && !ids.has(id) && sameDouble(id, pet.id))
    if (free === undefined) continue
    lone.push({ step: 'patch', addressed: pet.id, neighbour: free, pet, twin })
    lone.push({ step: 'patch-absent', addressed: free, neighbour: pet.id, pet, twin })
  }
  if (twins.length === 0) return lone
  const [absent, present] = [lone.filter(isOfAbsent), lone.filter((aim) => !isOfAbsent(aim))]
  return [...twins.slice(0, 2), ...absent, ...present]
}

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
