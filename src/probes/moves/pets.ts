import { exactDoubleLimit, int64 } from '../../contract/petstore/schemas.js'
import { type Pet, type ProbeContext, ProbeSkipped } from '../probe.js'

/** A pet to try things on: drawn from the run's seed, so that runs differ and one can be repeated. */
export const somePet = (context: ProbeContext, pets: readonly Pet[]): Pet => {
  if (pets.length === 0) throw new ProbeSkipped('inventory-empty')
  const ordinary = pets.filter(({ id }) => id >= 0n && id < exactDoubleLimit)
  // One less than two is still a stock: whether 0 is allowed is left open (INV-10).
  const stocked = ordinary.filter(({ quantity }) => quantity >= 2n)
  return context.random.pick([stocked, ordinary, pets].find((some) => some.length > 0) ?? pets)
}

/** Several different pets, {@link somePet} each; where there are two or more, one at least is left alone. */
export const somePets = (context: ProbeContext, pets: readonly Pet[], most: number): readonly Pet[] => {
  const drawn: Pet[] = []
  while (drawn.length < Math.min(most, Math.max(1, pets.length - 1), pets.length)) {
    const left = pets.filter((pet) => !drawn.includes(pet))
    drawn.push(somePet(context, left))
  }
  return drawn
}

/**
 * {@link somePet}; where the inventory is empty one that no entry has, for a bad key has to be refused either way
 * (AUTH-5).
 */
export const somePetOrAbsent = (context: ProbeContext, pets: readonly Pet[]): Pet =>
  pets.length > 0 ? somePet(context, pets) : { id: absentIds(context, pets)[0], quantity: 2n, status: 'unknown' }

/** Another quantity, one away: bounds that allow this one most likely allow that. */
export const otherQuantity = (quantity: bigint): bigint => (quantity > 0n ? quantity - 1n : quantity + 1n)

/** Where positive int64 ids are looked for that no entry has: among 32-bit ones, beyond them, and near the end. */
const absentRanges = [
  [2n ** 20n, 2n ** 31n],
  [2n ** 40n, 2n ** 52n],
  [2n ** 62n, int64.max],
] as const

/** Ids that no entry has, one of each range; drawn at random, for an entry that can't be read may have any. */
export const absentIds = (context: ProbeContext, pets: readonly Pet[]): bigint[] => {
  const taken = new Set(pets.map(({ id }) => id))
  return absentRanges.map(([from, to]) => {
    const width = Number(to - from)
    let id = from + BigInt(Math.floor(context.random.float() * width))
    while (taken.has(id)) id += 1n
    return id
  })
}

export const updateBody = (quantity: bigint): string => `{"quantity":${quantity}}`

/** A PATCH of a pet, with what it writes as its intent. */
export const updateOf = (petId: bigint, quantity: bigint) =>
  ({
    operation: 'updateInventory',
    petId,
    body: updateBody(quantity),
    intent: { petId: String(petId), quantity: String(quantity) },
  }) as const
