import { exactDoubleLimit, int64 } from '../contract/schemas.js'
import { type Pet, ProbeSkipped, type Stage } from './probe.js'

/** A pet to try things on: drawn from the run's seed, so that runs differ and one can be repeated. */
export const somePet = (stage: Stage, pets: readonly Pet[]): Pet => {
  if (pets.length === 0) throw new ProbeSkipped('inventory-empty')
  const ordinary = pets.filter(({ id }) => id >= 0n && id < exactDoubleLimit)
  return stage.random.pick(ordinary.length > 0 ? ordinary : pets)
}

/** Another quantity that any bounds which allow this one most likely allow too. */
export const otherQuantity = (quantity: bigint): bigint => (quantity > 0n ? quantity - 1n : quantity + 1n)

/** Positive int64 ids that no entry has: one among the small ones, one in the middle, the largest. */
export const absentIds = (pets: readonly Pet[]): bigint[] => {
  const taken = new Set(pets.map(({ id }) => id))
  const firstFree = (from: bigint, step: bigint): bigint => {
    let id = from
    while (taken.has(id)) id += step
    return id
  }
  return [firstFree(1n, 1n), firstFree(2n ** 40n, 1n), firstFree(int64.max, -1n)]
}

export const updateBody = (quantity: bigint): string => `{"quantity":${quantity}}`
