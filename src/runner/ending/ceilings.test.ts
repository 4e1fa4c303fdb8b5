import fc from 'fast-check'
import { expect, it } from 'vitest'
import { batches, constantRate } from '../../load/schedule.js'
import { slowedShape } from './ceilings.js'

it('sends a load without a shape at the most that is allowed in a second', () => {
  const shape = slowedShape(undefined, 4, 10)
  expect([0, 1, 2, 3].map(shape)).toEqual([0, 100, 200, 300])
})

it('leaves a load alone that stays below the most', () => {
  const slow = constantRate(5)
  const shape = slowedShape(slow, 10, 10)
  expect([0, 3, 9].map(shape)).toEqual([0, 3, 9].map(slow))
})

it('spreads a burst that comes late, and makes nothing up for it', () => {
  const shape = slowedShape(batches([{ atMs: 1_000, amount: 3 }]), 3, 10)
  expect([0, 1, 2].map(shape)).toEqual([1_000, 1_100, 1_200])
})

it('never sends sooner than wished, and never closer together than allowed', () => {
  const plan = fc.record({
    gaps: fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 50 }),
    perSecond: fc.integer({ min: 1, max: 1_000 }),
  })
  fc.assert(
    fc.property(plan, ({ gaps, perSecond }) => {
      const wished = gaps.map((_, n) => gaps.slice(0, n + 1).reduce((sum, gap) => sum + gap, 0))
      const shape = slowedShape((n) => wished[n], gaps.length, perSecond)
      for (let n = 0; n < gaps.length; n += 1) {
        expect(shape(n)).toBeGreaterThanOrEqual(wished[n])
        if (n > 0) expect(shape(n) - shape(n - 1)).toBeGreaterThanOrEqual(1000 / perSecond - 1e-6)
      }
    }),
  )
})
