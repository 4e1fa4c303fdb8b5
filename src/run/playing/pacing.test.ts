import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPacing } from './key-session.js'

const quota = { limit: 3, longer: 1_000 }
const minuteMs = 1_000

describe('pacing', () => {
  it('lets requests go at once while there is room', () => {
    const pacing = createPacing(quota, minuteMs)
    expect(pacing.readyAt()).toBe(0)
    for (const at of [0, 10]) pacing.sent(at)
    expect(pacing.readyAt()).toBe(0)
  })

  it('waits until a little more than a window after the request that is the limit ago', () => {
    const pacing = createPacing(quota, minuteMs)
    for (const at of [0, 10, 20]) pacing.sent(at)
    expect(pacing.readyAt()).toBe(1_010)
    pacing.sent(1_015)
    expect(pacing.readyAt()).toBe(1_020)
  })

  it.each([
    [3, 1_510],
    [2, 0],
    [9, 1_510],
  ])('takes a load of %d as sent at its end', (count, readyAt) => {
    const pacing = createPacing(quota, minuteMs)
    pacing.sent(500, count)
    expect(pacing.readyAt()).toBe(readyAt)
  })

  it('never lets more than the limit go in any span of a window', () => {
    const loads = fc.record({ pauseMs: fc.nat(700), count: fc.integer({ min: 1, max: 3 }) })
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), fc.array(loads, { maxLength: 60 }), (minute, asked) => {
        const pacing = createPacing({ limit: minute, longer: 1_000 }, minuteMs)
        const sent: number[] = []
        let now = 0
        for (const { pauseMs, count } of asked) {
          now += pauseMs
          for (let i = 0; i < count; i += 1) {
            now = Math.max(now, pacing.readyAt())
            pacing.sent(now)
            sent.push(now)
          }
        }
        const within = (from: number) => sent.filter((at) => at >= from && at <= from + minuteMs).length
        expect(Math.max(0, ...sent.map(within))).toBeLessThanOrEqual(minute)
      }),
    )
  })
})
