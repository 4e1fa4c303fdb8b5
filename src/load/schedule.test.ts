import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batches, constantRate, rateSteps, type Shape, shapeOfHits } from './schedule.js'

const rate = fc.double({ min: 1 / 60, max: 5000, noNaN: true })

test.each<[string, Shape, readonly number[]]>([
  ['one a minute', constantRate(1 / 60), [0, 60_000, 120_000]],
  ['five thousand a second', constantRate(5000), [0, 0.2, 0.4]],
  ['two bursts', batches([{ atMs: 0, amount: 2 }, { atMs: 500, amount: 2 }]), [0, 0, 500, 500, 500]], // biome-ignore format: one row a case
  ['no bursts', batches([]), [0, 0]],
  ['slow, a pause, fast', rateSteps([{ perSecond: 2, durationMs: 1000 }, { perSecond: 0, durationMs: 3000 }, { perSecond: 10, durationMs: 1 }]), [0, 500, 4000, 4100]], // biome-ignore format: one row a case
])('%s', (_, shape, due) => {
  const found = due.map((_, n) => shape(n))
  for (const [n, ms] of due.entries()) expect(found[n]).toBeCloseTo(ms, 6)
})

test('due times never fall', () => {
  const steps = fc.array(
    fc.record({ perSecond: fc.double({ min: 0, max: 500, noNaN: true }), durationMs: fc.nat(5000) }),
  )
  fc.assert(
    fc.property(steps, rate, fc.nat(5000), (each, last, n) => {
      const shape = rateSteps([...each, { perSecond: last, durationMs: 0 }])
      expect(shape(n + 1)).toBeGreaterThanOrEqual(shape(n))
    }),
  )
})

test('hits over time, as a function, give the same times as the rate that they grow with', () => {
  fc.assert(
    fc.property(rate, fc.nat(3000), (perSecond, n) => {
      const shape = shapeOfHits((ms) => (ms * perSecond) / 1000)
      expect(Math.abs(shape(n) - constantRate(perSecond)(n))).toBeLessThan(0.01)
    }),
  )
})

test('a request that is never due is refused', () => {
  expect(() => shapeOfHits(() => 3)(3)).toThrow('request 3 is never due')
  expect(() => rateSteps([{ perSecond: 0, durationMs: 1 }])).toThrow('a rate above 0')
})
