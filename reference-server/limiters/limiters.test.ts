import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelName } from '../../src/contract/limiter-models.js'
import { algorithmNames, algorithms } from './algorithms.js'

const windowMs = 60_000
/** A multiple of the window, so that clock-aligned windows start here. */
const epochMs = 1_767_225_600_000

/** Plays requests at these moments; says which were admitted. */
const play = (algorithm: ModelName, limit: number, momentsMs: readonly number[]): number[] => {
  const meter = algorithms[algorithm]({ limit, windowMs }, epochMs)
  return momentsMs.filter((ms) => {
    if (meter.available(epochMs + ms) === 0) return false
    meter.take(epochMs + ms)
    return true
  })
}

const at = (ms: number, times: number) => Array.from({ length: times }, () => ms)

describe.each(algorithmNames)('%s', (algorithm) => {
  it.each([1, 2, 60, 1000])('admits a burst of exactly %i on a fresh window', (limit) => {
    expect(play(algorithm, limit, at(17_000, limit * 2))).toHaveLength(limit)
  })

  // 60 at :17; then one a second, from 1 s to 61 s after the burst
  it('gives quota back when its kind does', () => {
    const first = {
      'fixed-window': 43_000,
      'fixed-window-first-request': 60_000,
      'sliding-log': 60_000,
      'sliding-counter': 44_000,
      'token-bucket': 1_000,
      gcra: 1_000,
      'interval-refill': 60_000,
      'interval-refill-idle': 60_000,
    }
    const probes = Array.from({ length: 61 }, (_, second) => 17_000 + (second + 1) * 1_000)
    const admitted = play(algorithm, 60, [...at(17_000, 60), ...probes]).slice(60)
    expect(admitted[0] - 17_000).toBe(first[algorithm])
  })

  it('admits what its kind does after half the quota early and half late', () => {
    const expected = {
      'fixed-window': 60,
      'fixed-window-first-request': 60,
      'sliding-log': 30,
      'sliding-counter': 1,
      'token-bucket': 41,
      gcra: 41,
      'interval-refill': 60,
      'interval-refill-idle': 60,
    }
    const admitted = play(algorithm, 60, [...at(0, 30), ...at(50_000, 30), ...at(61_000, 90)])
    expect(admitted.length - 60).toBe(expected[algorithm])
  })

  it('keeps its promises over any sequence of requests', () => {
    const gaps = fc.array(fc.oneof(fc.nat(50), fc.nat(20_000), fc.nat(200_000)), { maxLength: 80 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(60_000, 600, 60_000 / 7),
        gaps,
        (limit, W, steps) => {
          const meter = algorithms[algorithm]({ limit, windowMs: W }, epochMs)
          const admittedMs: number[] = []
          let nowMs = epochMs
          for (const gapMs of steps) {
            nowMs += gapMs
            const left = meter.available(nowMs)
            const spent = admittedMs.filter((ms) => ms > nowMs - W).length
            // Whole in any two windows, whatever the kind: nobody refuses below the limit, or admits above twice of it.
            if (admittedMs.filter((ms) => ms > nowMs - 2 * W).length === 0) expect(left).toBe(limit)
            expect(spent).toBeLessThanOrEqual(2 * limit)
            expect(Number.isInteger(left) && left >= 0 && left <= limit).toBe(true)
            const resetMs = meter.resetMs(nowMs)
            expect(resetMs).toBeGreaterThanOrEqual(nowMs)
            expect(resetMs).toBeLessThanOrEqual(nowMs + W + 2)
            expect(meter.available(resetMs + 1e-3)).toBeGreaterThan(0)
            const admitsAtMs = meter.admitsAtMs(nowMs)
            if (left > 0) {
              expect(admitsAtMs).toBe(nowMs)
              meter.take(nowMs)
              expect(meter.available(nowMs)).toBe(left - 1)
              admittedMs.push(nowMs)
            } else {
              expect(meter.available(admitsAtMs + 1e-3)).toBeGreaterThan(0)
              if (admitsAtMs - 2 > nowMs) expect(meter.available(admitsAtMs - 2)).toBe(0)
              expect(meter.available(nowMs)).toBe(0)
            }
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('names the wait of a request that costs several', () => {
    const costs = fc.record({
      limit: fc.integer({ min: 5, max: 40 }),
      spent: fc.nat(40),
      cost: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(costs, fc.nat(59_000), ({ limit, spent, cost }, ms) => {
        const meter = algorithms[algorithm]({ limit, windowMs }, epochMs)
        for (let times = 0; times < Math.min(spent, limit); times += 1) meter.take(epochMs + 1_000)
        const nowMs = epochMs + 1_000 + ms
        const admitsAtMs = meter.admitsAtMs(nowMs, cost)
        expect(meter.available(admitsAtMs + 1e-3)).toBeGreaterThanOrEqual(cost)
        if (admitsAtMs - 2 > nowMs) expect(meter.available(admitsAtMs - 2)).toBeLessThan(cost)
      }),
      { numRuns: 150 },
    )
  })

  it('is as good as fresh once it may be forgotten', () => {
    const meter = algorithms[algorithm]({ limit: 5, windowMs }, epochMs)
    for (const ms of [0, 10, 20_000, 59_000]) meter.take(epochMs + ms)
    const forgetMs = meter.forgetAtMs()
    expect(meter.available(epochMs + 59_000)).toBeLessThan(5)
    expect(meter.available(forgetMs)).toBe(5)
  })

  it('gives a refunded request back', () => {
    const meter = algorithms[algorithm]({ limit: 5, windowMs }, epochMs)
    meter.take(epochMs)
    meter.take(epochMs)
    meter.refund(epochMs)
    expect(meter.available(epochMs)).toBe(4)
  })

  it('gains nothing from a clock that steps back', () => {
    const meter = algorithms[algorithm]({ limit: 5, windowMs }, epochMs)
    for (let times = 0; times < 5; times += 1) meter.take(epochMs + 30_000)
    expect(meter.available(epochMs + 10_000)).toBe(0)
    expect(meter.available(epochMs - 70_000)).toBe(0)
  })
})

describe.each(['token-bucket', 'gcra'] as const)('a bucket of its own size, counted by %s', (algorithm) => {
  it.each([
    ['larger than the limit', { limit: 2, windowMs: 1_000, burst: 40 }, 40, 5_000, 10],
    ['smaller than the limit', { limit: 120, windowMs: 60_000, burst: 10 }, 10, 2_500, 5],
  ])('holds what fits where it is %s, and refills at the rate of the limit', (_, allowance, atOnce, laterMs, later) => {
    const meter = algorithms[algorithm](allowance, epochMs)
    const drain = (ms: number) => {
      let admitted = 0
      for (; meter.available(epochMs + ms) > 0; admitted += 1) meter.take(epochMs + ms)
      return admitted
    }
    expect(drain(0)).toBe(atOnce)
    expect(meter.resetMs(epochMs)).toBeCloseTo(epochMs + atOnce * 500, 3)
    expect(meter.admitsAtMs(epochMs, 3)).toBeCloseTo(epochMs + 1_500, 3)
    expect(drain(laterMs)).toBe(later)
    expect(drain(10_000_000)).toBe(atOnce)
  })
})
