import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Timeline } from '../model.js'
import { type Family, familyOf } from '../quotas.js'
import { ceilings } from './plan-charts.js'

const limit = 5
const windowMs = 100

type Admits = (at: number, earlier: readonly number[]) => boolean

/** The law of each family, from all that was admitted earlier. */
const laws: Readonly<Record<Family, Admits>> = {
  log: (at, earlier) => earlier.filter((each) => each > at - windowMs).length < limit,
  windows: (at, earlier) =>
    earlier.filter((each) => Math.floor(each / windowMs) === Math.floor(at / windowMs)).length < limit,
  bucket(at, earlier) {
    let tokens = limit
    let last = earlier[0] ?? at
    for (const each of earlier) {
      tokens = Math.min(limit, tokens + ((each - last) * limit) / windowMs) - 1
      last = each
    }
    return Math.min(limit, tokens + ((at - last) * limit) / windowMs) >= 1
  },
}

const story = (admits: Admits, requests: readonly (readonly [number, number, number])[]): Timeline => {
  let at = 0
  const decided: number[] = []
  const points: Timeline['points'] = []
  for (const [gap, before, after] of requests) {
    at += gap
    const served = admits(at, decided)
    if (served) decided.push(at)
    points.push([at - before, at + after, served ? 'admitted' : 'refused', null])
  }
  const received = points.filter(([, , outcome]) => outcome === 'admitted').map(([, each]) => each ?? 0)
  const admissions = received.sort((a, b) => a - b).map((each, index): [number, number] => [each, index + 1])
  points.sort((a, b) => a[0] - b[0])
  const uncounted = { counts: [], stretchMs: 0, resets: [], retryMoments: [] }
  return { plan: 'free', limit, windowMs, points, total: points.length, admissions, ...uncounted }
}

const traffic = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })),
  { minLength: 12, maxLength: 80 },
)

describe('the ceiling of a family of limiters', () => {
  it.each(['log', 'bucket', 'windows'] as const)(
    'is never below what a true %s admitted, whatever the delays',
    (family) => {
      fc.assert(
        fc.property(traffic, (requests) => {
          const timeline = story(laws[family], requests)
          const most = ceilings(
            timeline,
            timeline.admissions.map(([at]) => at),
          )[family]
          timeline.admissions.forEach(([, count], index) => {
            expect(most[index]).toBeGreaterThanOrEqual(count - 1e-9)
          })
        }),
        { numRuns: 1_000 },
      )
    },
  )

  it('is crossed by a burst of more than the limit', () => {
    const timeline = story(
      () => true,
      Array.from({ length: 8 }, () => [1, 0, 0] as const),
    )
    const times = timeline.admissions.map(([at]) => at)
    expect(ceilings(timeline, times).log.at(-1)).toBe(5)
    expect(ceilings(timeline, times).bucket.at(-1)).toBeLessThan(8)
    expect(ceilings(timeline, times).windows.at(-1)).toBe(10)
  })

  it.each([
    ['sliding-log', 'log'],
    ['token-bucket', 'bucket'],
    ['gcra', 'bucket'],
    ['fixed-window-first-request', 'windows'],
    ['sliding-counter', 'windows'],
    ['interval-refill', 'windows'],
    ['interval-refill-idle', 'windows'],
  ])('of %s is that of %s', (model, family) => {
    expect(familyOf(model)).toBe(family)
  })
})
