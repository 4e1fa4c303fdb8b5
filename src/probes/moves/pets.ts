import { exactDoubleLimit, int64 } from '../../contract/petstore/schemas.js'
import { type Pet, type ProbeContext, ProbeSkipped } from '../probe.js'

/** Quantities up to here fit every integer type that a database column may have. */
export const greatestQuantity = 1_000_000n

/** Whether bounds are likely to allow its quantity, so that it can be put back (INV-10). */
export const isModest = ({ quantity }: Pet): boolean => quantity >= 0n && quantity <= greatestQuantity

/** A pet to try things on: drawn from the run's seed, so that runs differ and one can be repeated. */
export const somePet = (context: ProbeContext, pets: readonly Pet[]): Pet => {
  if (pets.length === 0) throw new ProbeSkipped('inventory-empty')
  const ordinary = pets.filter(({ id }) => id >= 0n && id < exactDoubleLimit)
  // Of two, one less is still a stock: whether 0 is allowed is left open (INV-10).
  const modest = ordinary.filter(isModest)
  const stocked = modest.filter(({ quantity }) => quantity >= 2n)
  return context.random.pick([stocked, modest, ordinary, pets].find((some) => some.length > 0) ?? pets)
}

/** Several different pets, each by {@link somePet}; of two or more at least one is left alone. */
export const somePets = (context: ProbeContext, pets: readonly Pet[], most: number): readonly Pet[] => {
  const drawn: Pet[] = []
  while (drawn.length < Math.min(most, Math.max(1, pets.length - 1), pets.length)) {
    const left = pets.filter((pet) => !drawn.includes(pet))
    drawn.push(somePet(context, left))
  }
  return drawn
}

/** Another quantity, one away and never 0: bounds that allow this one most likely allow that. */
export const otherQuantity = (quantity: bigint): bigint => (quantity > 1n ? quantity - 1n : quantity + 1n)

/** Several other quantities, all different: below it where there is room, so that bounds most likely allow them. */
export const otherQuantities = (quantity: bigint, count: number): bigint[] => {
  const step = quantity > BigInt(count) ? -1n : 1n
  return Array.from({ length: count }, (_, i) => quantity + step * BigInt(i + 1))
}

const in32Bits = 2n ** 32n

/**
 * Ids that no entry has: two drawn at random, because an entry that can't be read may have any; the greatest and the least of
 * int64; a pet's id negated; and 0. The second becomes a pet's id if only 32 bits of it are kept, the negated one if the sign is lost.
 */
export const absentIds = (context: ProbeContext, pets: readonly Pet[]): bigint[] => {
  const between = (from: bigint, to: bigint) => from + BigInt(Math.floor(context.random.float() * Number(to - from)))
  const free = (id: bigint, step: bigint): bigint => (context.isListed(id) ? free(id + step, step) : id)
  const known = pets.find(({ id }) => id > 0n && id < in32Bits)?.id ?? 1n
  return [
    free(between(2n ** 20n, 2n ** 31n), 1n),
    free(between(2n ** 8n, 2n ** 20n) * in32Bits + known, in32Bits),
    free(int64.max, -1n),
    free(-known, -1n),
    ...(context.isListed(0n) ? [] : [0n]),
    free(int64.min, 1n),
  ]
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
