import { describe, expect, it } from 'vitest'
import { int64 } from '../../contract/petstore/schemas.js'
import { neighbourAims } from './updates.js'

const base = 2n ** 53n
const aims = (...ids: readonly bigint[]) =>
  neighbourAims(ids.map((id) => ({ id, quantity: 5n, status: 'sold' }))).map(
    ({ step, addressed, neighbour }) => `${step} ${addressed - base} beside ${neighbour - base}`,
  )

describe('what is tried on ids above 2^53', () => {
  it.each<[string, readonly bigint[], readonly string[]]>([
    ['2^53 itself is a neighbour of 2^53 + 1', [base, base + 1n], ['patch 0 beside 1', 'patch 1 beside 0']],
    ['two neighbours are both patched', [base + 3n, base + 4n], ['patch 3 beside 4', 'patch 4 beside 3']],
    ['a lone one is patched, and the id beside it', [base + 3n], ['patch 3 beside 4', 'patch-absent 4 beside 3']],
    [
      'neighbours come before lone ones, and then the id beside a lone one, which no entry has',
      [base + 7n, base + 3n, base + 4n],
      ['patch 4 beside 3', 'patch 3 beside 4', 'patch-absent 8 beside 7', 'patch 7 beside 8'],
    ],
    [
      'the ends come before others',
      [base + 3n, base + 11n, base + 7n],
      ['patch 3 beside 4', 'patch-absent 4 beside 3', 'patch 7 beside 8', 'patch-absent 8 beside 7'],
    ],
    ['an id that a double keeps apart from both neighbours is left alone', [base + 2n], []],
    ['so is a small one', [1n, base - 1n], []],
    [
      'a negative one is patched, and held against its mirror',
      [-base + 5n, -2n],
      [`patch ${5n - 2n * base} beside -5`],
    ],
    [
      'a negative one is patched after large ones',
      [base + 3n, -7n, 7n],
      ['patch 3 beside 4', 'patch-absent 4 beside 3', `patch ${-7n - base} beside ${7n - base}`],
    ],
  ])('%s', (_name, ids, expected) => {
    expect(aims(...ids)).toEqual(expected)
  })

  it.each([
    ['greatest', int64.max, int64.max - 1n],
    ['least', int64.min, int64.min + 1n],
  ])('never leaves int64 at the %s', (_name, id, neighbour) => {
    expect(aims(id)).toEqual([
      `patch ${id - base} beside ${neighbour - base}`,
      `patch-absent ${neighbour - base} beside ${id - base}`,
    ])
  })
})
