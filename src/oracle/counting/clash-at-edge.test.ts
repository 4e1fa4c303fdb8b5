import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { seededRandom } from '../../kit/random.js'
import type { Decision } from '../../readings/history.js'
import { explain } from '../models/explain.js'
import { type HistoryEvent, historyOf } from '../testing/made-history.js'
import { tallyOf } from './tally.js'
import { clashAtEdge } from './weighted-count.js'

const windowMs = 60_000
const answersAt = (seconds: number, outcome: Decision, count: number): HistoryEvent[] =>
  Array.from({ length: count }, () => ({ sentMs: seconds * 1000, receivedMs: seconds * 1000 + 20, outcome }))

/** A window begins 10 ms into the 60 at 0 s; refusals after half of it, then what was served near its end. */
const divided = (servedLate: number, more: readonly HistoryEvent[] = []) =>
  tallyOf(
    historyOf([
      ...more,
      ...answersAt(0, 'admitted', 60),
      ...answersAt(30, 'refused', 4),
      ...answersAt(54, 'admitted', servedLate),
    ]),
    { limit: 59, windowMs },
  )

const clashOf = (tally: ReturnType<typeof tallyOf>, width = 0) => {
  const stretch = { admittedFrom: 0, admittedTo: tally.admittedReceived.length, refusedFrom: 0, refusedTo: 4 }
  return clashAtEdge(tally, { ...stretch, begunBy: Number.NEGATIVE_INFINITY }, { from: 10, width })
}

it.each([
  ['as many as those before the edge give back by then', divided(3), null],
  ['more than they do, where refusals say how few came before the edge', divided(24), { kind: 'early', k: 0 }],
  // One of which nobody knows whether it counted may have filled what the refusals miss.
  ['more, with twenty more that may have counted', divided(24, answersAt(-1, 'unknown', 20)), { kind: 'early', k: 0 }],
  ['more, with sixty that may have counted in the window', divided(24, answersAt(1, 'unknown', 60)), null],
])('an edge in a burst, and then %s', (_, tally, expected) => {
  expect(clashOf(tally)).toEqual(expected)
})

it('says nothing of a range of phases that leaves open more than where an edge divides a burst', () => {
  expect(clashOf(divided(24), windowMs / 100)).toBeNull()
})

it('never refutes a sliding counter whose windows begin in its bursts', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seededRandom(seed)
      const limit = random.int(2, 60)
      const limiter = limiters['sliding-counter']({ limit, windowMs, epochOffsetMs: 0, random })
      const decided = Array.from({ length: random.int(2, 6) }, (_, window) =>
        Array.from({ length: random.int(1, 2 * limit) }, () => {
          const isInBurst = random.float() < 0.8
          const sentMs = (window + 1) * windowMs + (isInBurst ? 60 * random.float() - 40 : windowMs * random.float())
          const tookMs = 1 + 30 * random.float()
          return { sentMs, receivedMs: sentMs + tookMs, at: sentMs + tookMs * random.float() }
        }),
      )
        .flat()
        .sort((a, b) => a.at - b.at)
        .map((each) => ({
          ...each,
          outcome: limiter.decide(each.at, 1) ? ('admitted' as const) : ('refused' as const),
        }))
      expect(explain('sliding-counter', historyOf(decided), { limit, windowMs })).toEqual({ verdict: 'explained' })
    }),
    { numRuns: 300 },
  )
})
