import { describe, expect, it } from 'vitest'
import { int64 } from '../../contract/petstore/schemas.js'
import { seededRandom } from '../../kit/random.js'
import type { ProbeContext } from '../probe.js'
import { absentIds, createTurns, otherQuantity } from './pets.js'

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

describe('pets in turn', () => {
  const petsOf = (...ids: readonly bigint[]) => ids.map((id) => ({ id, quantity: 5n, status: 'sold' }))
  const listed = petsOf(5n, 3n, 1n, 8n, 2n, 9n, 4n, 2n ** 53n)

  it('begin with the ends of the list and of the ids, and reach each before one comes again', () => {
    const next = createTurns()
    const random = seededRandom(1)
    const drawn = Array.from({ length: 8 }, () => next(listed.slice(0, -1), 'changed', listed, random).id)
    expect(drawn.slice(0, 4)).toEqual([5n, 4n, 1n, 9n])
    expect(drawn.slice(4, 7).toSorted()).toEqual([2n, 3n, 8n])
    expect(drawn[7]).toBe(5n)
  })

  it('have a turn of their own for each use', () => {
    const next = createTurns()
    const random = seededRandom(1)
    next(listed, 'changed', listed, random)
    expect(next(listed, 'kept', listed, random).id).toBe(5n)
  })

  it('are drawn from those given alone', () => {
    expect(createTurns()(petsOf(2n), 'changed', listed, seededRandom(1)).id).toBe(2n)
  })
})
