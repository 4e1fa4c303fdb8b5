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
  const amongst = (...ids: readonly bigint[]) =>
    absentIds(
      { random: { float: () => 0.5 }, isListed: (id) => ids.includes(id) } as ProbeContext,
      ids.slice(0, 1).map((id) => ({ id, quantity: 5n, status: 'sold' })),
    )

  it('have the greatest and the least of int64 among them, or the next that are free', () => {
    expect(amongst(7n)).toEqual(expect.arrayContaining([int64.max, int64.min]))
    expect(amongst(int64.max, int64.max - 1n, int64.min)).toEqual(
      expect.arrayContaining([int64.max - 2n, int64.min + 1n]),
    )
  })

  it('are none of the ids in the list', () => {
    const listed = [7n, -7n, 0n, int64.max, ...amongst(7n)]
    expect(amongst(...listed).filter((id) => listed.includes(id))).toEqual([])
  })
})
