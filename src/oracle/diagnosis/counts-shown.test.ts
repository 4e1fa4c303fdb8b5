import { expect, it } from 'vitest'
import { countsShown } from './common-diagnosis.js'

/** A key that was served each time, and shown so much to be left. */
const shown = (remaining: readonly number[], reset = (_: number) => 1000) => {
  const all = (value: number) => remaining.map(() => value)
  const record = {
    size: remaining.length,
    status: all(200),
    limit: all(60),
    reset: remaining.map((_, i) => reset(i)),
    remaining,
  }
  return countsShown(record as never, { limit: 60, windowMs: 6000 })
}

it('tells several counts by values that come several times, side by side', () => {
  expect(shown([59, 59, 59, 59, 58, 58, 58, 58, 57, 57, 56])).toBe(4)
  expect(shown([59, 58, 59, 58, 57, 57, 56, 56])).toBe(2)
})

it('tells the nodes of a bucket that gets a token back after each fifth request, and shows what is left twice then', () => {
  const ofNode = [55, 54, 53, 53, 52, 51, 50, 49, 48, 48, 47, 46, 45, 44, 43, 43]
  expect(shown([...ofNode, ...ofNode, ...ofNode])).toBe(3)
})

it('tells the nodes of a bucket where two of them get each fifth token back, and the third another one', () => {
  const ofNode = (phase: number) =>
    Array.from({ length: 40 }, (_, i) => 59 - i).flatMap((left) => ((left + phase) % 5 === 0 ? [left, left] : [left]))
  expect(shown([...ofNode(0), ...ofNode(0), ...ofNode(2)])).toBe(3)
})

it('tells counts whose windows begin apart, and takes one count in two windows for one', () => {
  const two = [59, 59, 58, 58, 57, 57, 56, 56]
  expect(shown(two, (i) => 1000 + (i % 2))).toBe(2)
  expect(shown(two, (i) => 1000 + 6 * (i % 2))).toBeUndefined()
})

it('tells none by one count, a value that stands still, and one that comes in steps', () => {
  expect(shown([59, 58, 57, 56, 55])).toBeUndefined()
  expect(shown([3, 2, 1, 0, 0, 0, 0, 0])).toBeUndefined()
  expect(shown([59, 59, 59, 49, 49, 49, 39, 39, 39])).toBeUndefined()
  expect(shown([60, 60, 60, 60])).toBeUndefined()
})
