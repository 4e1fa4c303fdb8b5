import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driftShare, offsetTrack, readClock } from './clocks.js'
import type { ClockReading } from './messages.js'

describe('a reading of another clock', () => {
  it('is an interval as wide as the shortest round trip', () => {
    const trips = [
      { askedMs: 0, answeredMs: 9, otherMs: 5_004 },
      { askedMs: 100, answeredMs: 100.4, otherMs: 5_100.1 },
      { askedMs: 200, answeredMs: 203, otherMs: 5_201 },
    ]
    const reading = readClock(trips)
    expect(reading?.atMs).toBe(100.4)
    expect(reading?.fromMs).toBeCloseTo(4_999.7, 3)
    expect(reading?.toMs).toBeCloseTo(5_000.1, 3)
  })

  it('is none where nobody answered', () => {
    expect(readClock([])).toBeUndefined()
  })
})

const reading = (atMs: number, fromMs: number, toMs: number): ClockReading => ({ atMs, fromMs, toMs })

describe('the offset between two readings', () => {
  it('is what both allow, and less sure the farther away they are', () => {
    const track = offsetTrack([reading(0, 10, 10.2), reading(10_000, 10, 10.2)])
    expect(track?.(0)).toEqual({ ms: expect.closeTo(10.1), errorMs: expect.closeTo(0.1), isKept: true })
    expect(track?.(5_000).errorMs).toBeCloseTo(0.1 + 0.5)
    expect(track?.(20_000).errorMs).toBeCloseTo(0.1 + 1)
    expect(track?.(-10_000).errorMs).toBeCloseTo(0.1 + 1)
  })

  it('is told to have moved where no drift explains both, and has room for the move', () => {
    const track = offsetTrack([reading(0, 10, 10.2), reading(10_000, 60, 60.2), reading(20_000, 60, 60.2)])
    const between = track?.(5_000)
    expect(between?.isKept).toBe(false)
    expect(between?.ms).toBeCloseTo(35.1)
    expect(between?.errorMs).toBeCloseTo(25.1 + 0.5)
    expect(track?.(15_000).isKept).toBe(true)
  })

  it('is not known without a reading', () => {
    expect(offsetTrack([])).toBeUndefined()
  })

  /** A clock that drifts by so much, more or less all the time, and may jump once; read every 5 s with some round trip. */
  const story = fc.record({
    startMs: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    drifts: fc.array(fc.double({ min: -driftShare, max: driftShare, noNaN: true }), { minLength: 3, maxLength: 8 }),
    tripsMs: fc.array(
      fc.tuple(fc.double({ min: 0.01, max: 20, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      { minLength: 8, maxLength: 8 },
    ),
    jumpMs: fc.constantFrom(0, 0, 50, -50, 4_000),
    at: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
  })

  it('is never farther from the truth than it says, and a clock within its bounds is never told to have moved', () => {
    fc.assert(
      fc.property(story, ({ startMs, drifts, tripsMs, jumpMs, at }) => {
        const everyMs = 5_000
        const lengthMs = everyMs * drifts.length
        const jumpsAtMs = lengthMs / 2 + 1
        const truth = (ms: number): number => {
          const whole = Math.min(drifts.length - 1, Math.floor(ms / everyMs))
          const before = drifts.slice(0, whole).reduce((sum, drift) => sum + drift * everyMs, 0)
          return startMs + before + drifts[whole] * (ms - whole * everyMs) + (ms >= jumpsAtMs ? jumpMs : 0)
        }
        const readings = Array.from({ length: drifts.length }, (_, i) => {
          const [tripMs, share] = tripsMs[i % tripsMs.length]
          const askedMs = i * everyMs
          const otherAtMs = askedMs + tripMs * share
          return readClock([{ askedMs, answeredMs: askedMs + tripMs, otherMs: otherAtMs + truth(otherAtMs) }])
        })
        const track = offsetTrack(readings.flatMap((each) => each ?? []))
        for (const share of at) {
          const ms = share * lengthMs
          const offset = track?.(ms)
          if (!offset) throw new Error('there are readings')
          if (jumpMs === 0) expect(offset.isKept).toBe(true)
          // Behind the last reading nobody can know of a jump.
          if (jumpMs !== 0 && ms > (drifts.length - 1) * everyMs) continue
          expect(Math.abs(offset.ms - truth(ms))).toBeLessThanOrEqual(offset.errorMs + 1e-6)
        }
      }),
      { numRuns: 500 },
    )
  })
})
