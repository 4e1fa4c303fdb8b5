import fc from 'fast-check'
import { expect, it } from 'vitest'
import { thin, ticks } from './chart.js'

it('thins to what was asked for, in order, and loses neither the lowest nor the highest nor an end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 10, max: 100 }),
      (values, most) => {
        const items = values.map((value, at) => ({ value, at }))
        const kept = thin(items, most, (each) => each.value)
        expect(kept.length).toBeLessThanOrEqual(Math.max(most, 0))
        expect(kept.map((each) => each.at)).toEqual(kept.map((each) => each.at).toSorted((a, b) => a - b))
        expect(Math.max(...kept.map((each) => each.value))).toBe(Math.max(...values))
        expect(Math.min(...kept.map((each) => each.value))).toBe(Math.min(...values))
        expect([kept[0], kept.at(-1)]).toEqual([items[0], items.at(-1)])
      },
    ),
  )
})

it.each([
  [0, 10, 5, [0, 2, 4, 6, 8, 10]],
  [0.4, 1.9, 5, [0.5, 1, 1.5]],
  [-30, 25, 5, [-20, 0, 20]],
])('marks an axis from %d to %d at round values', (from, to, about, expected) => {
  expect(ticks(from, to, about)).toEqual(expected)
})
