import { exactDoubleLimit, int64 } from '../../contract/petstore/schemas.js'
import type { Random } from '../../kit/random.js'
import { type Pet, type PetUse, type ProbeContext, ProbeSkipped } from '../probe.js'

/** Quantities up to here fit every integer type that a database column may have. */
export const greatestQuantity = 1_000_000n

/** Whether bounds are likely to allow its quantity, so that it can be put back (INV-10). */
export const isModest = ({ quantity }: Pet): boolean => quantity >= 0n && quantity <= greatestQuantity

/** Whether an IEEE double keeps its id, which has no sign: what else there is has a probe of its own. */
export const isOrdinary = ({ id }: Pet): boolean => id >= 0n && id < exactDoubleLimit

/** The ends of a list, and those of its ids: a store that forgets one entry most likely forgets one of these. */
export const atEnds = (pets: readonly Pet[]): readonly Pet[] => {
  const [first] = pets
  if (!first) return []
  const greatest = pets.reduce((a, b) => (b.id > a.id ? b : a))
  return [first, pets[pets.length - 1], pets.reduce((a, b) => (b.id < a.id ? b : a)), greatest]
}

/**
 * Draws from pets in turn: one that was drawn least for this use, the ends of the whole list before all others, and else by
 * chance. So a run reaches as many as it can, runs differ, and the seed repeats one.
 */
export const createTurns = () => {
  const drawn = new Map<string, number>()
  return (pets: readonly Pet[], use: PetUse, listed: readonly Pet[], random: Random): Pet => {
    const timesOf = ({ id }: Pet) => drawn.get(`${use} ${id}`) ?? 0
    const least = pets.reduce((times, pet) => Math.min(times, timesOf(pet)), Number.POSITIVE_INFINITY)
    const inTurn = pets.filter((pet) => timesOf(pet) === least)
    const atEnd = atEnds(listed.filter(isOrdinary)).flatMap((end) => inTurn.find(({ id }) => id === end.id) ?? [])
    const [pet = random.pick(inTurn)] = atEnd
    drawn.set(`${use} ${pet.id}`, least + 1)
    return pet
  }
}

/** A pet to try things on. */
export const somePet = (context: ProbeContext, pets: readonly Pet[], use: PetUse): Pet => {
  if (pets.length === 0) throw new ProbeSkipped('inventory-empty')
  const ordinary = pets.filter(isOrdinary)
  const modest = ordinary.filter(isModest)
  // Whether 0, to which it would be put back, is allowed is left open (INV-10).
  const stocked = modest.filter(({ quantity }) => quantity > 0n)
  return context.inTurn([stocked, modest, ordinary, pets].find((some) => some.length > 0) ?? pets, use)
}

/** Several different pets, each by {@link somePet}; of two or more at least one is left alone. */
export const somePets = (context: ProbeContext, pets: readonly Pet[], use: PetUse, most: number): readonly Pet[] => {
  const drawn: Pet[] = []
  while (drawn.length < Math.min(most, Math.max(1, pets.length - 1), pets.length)) {
    const left = pets.filter((pet) => !drawn.includes(pet))
    drawn.push(somePet(context, left, use))
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
