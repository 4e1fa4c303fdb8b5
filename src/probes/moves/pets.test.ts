import { describe, expect, it } from 'vitest'
import { int64 } from '../../contract/petstore/schemas.js'
import type { ProbeContext } from '../probe.js'
import { absentIds, otherQuantity } from './pets.js'

it.each([
  [5n, 4n],
  [1n, 2n],
  [0n, 1n],
  [-3n, -2n],
])('instead of %s a pet gets %s, and never 0, which a target may refuse', (quantity, other) => {
  expect(otherQuantity(quantity)).toBe(other)
})

describe('ids that no entry has', () => {
  const drawn = { random: { float: () => 0.5 } } as ProbeContext
  const amongst = (...ids: readonly bigint[]) =>
    absentIds(
      drawn,
      ids.map((id) => ({ id, quantity: 5n, status: 'sold' })),
    )

  it('have the greatest of int64 among them, or the greatest that is free', () => {
    expect(amongst(7n)).toContain(int64.max)
    expect(amongst(int64.max, int64.max - 1n)).toContain(int64.max - 2n)
  })

  it('are none of the ids in the list', () => {
    const listed = [7n, -7n, 0n, int64.max, ...amongst(7n)]
    expect(amongst(...listed).filter((id) => listed.includes(id))).toEqual([])
  })
})
