import { windowMs } from '../../contract/plans.js'
import type { RateReading } from '../../limits/rate-readings.js'
import { type TargetClock, targetClock } from '../../limits/target-clock.js'
import { defineCheck } from '../check.js'
import { breach } from '../finding.js'
import { judgeReadings } from './judge-readings.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'reset-in-milliseconds': { reset: number }
    'reset-is-delta': { reset: number }
    'reset-in-past': { reset: number; byMs: number }
    'reset-beyond-window': { reset: number; byMs: number; windowMs: number }
  }
}

/** Whole seconds stand for an interval of a second on either side; the clock behind `Date` may be another one. */
const roundingMs = 1_000
const clocksDifferMs = 1_000
/** The first and the last offset that may be meant: by the clock itself, or by what its Dates say where they are none. */
const outermost = ({ from, to, said }: TargetClock): [number, number] => [
  Math.min(from, said?.from ?? from),
  Math.max(to, said?.to ?? to),
]

const waitOf = ({ retryAfter }: RateReading): number => (retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : 0)

/**
 * A Reset tells where it is known which window it shows, and where it lies within that window by the clock that is likely:
 * then one that lay beyond it would have been seen to. Each has to be wrong by every clock that may be meant to be a breach.
 */
const needs = { cases: 'values of Reset whose window is known, read on a clock that is known', least: 1 }

export const resetIsTimestamp = defineCheck({
  id: 'rate.reset-is-timestamp',
  promise: 'X-RateLimit-Reset is a Unix timestamp in seconds, between now and the end of the window shown.',
  clauses: ['RATE-5'],
  reads: 'everything',
  needs,
  judge(evidence) {
    const { timeScale, keys, wallStartMs } = evidence.run
    const clock = targetClock(evidence.exchanges, evidence.run.wallStartMs)
    const [earliest, latest] = outermost(clock)
    const { likely = clock } = clock
    const [minuteMs, dayMs] = [windowMs('minute', timeScale), windowMs('day', timeScale)]
    const quotas = new Map(keys.map(({ name, quota }) => [name, quota]))
    return judgeReadings(evidence, needs, (reading) => {
      const { reset, limit } = reading.headers
      if (reset.state === 'absent') return 'skip'
      // A ledger keeps no text: whether it was a fraction, which RATE-7 speaks of, the single exchanges tell.
      if (reset.state === 'malformed' && reading.witness.includes('#')) return 'skip'
      if (reset.state === 'malformed') {
        return breach('header-is-no-integer', { header: 'X-RateLimit-Reset', text: reset.text, status: reading.status })
      }
      const facts = { reset: reset.value }
      if (reset.value > wallStartMs / 10) return breach('reset-in-milliseconds', facts)
      if (reset.value < wallStartMs / 1000 / 10) return breach('reset-is-delta', facts)
      const resetMs = reset.value * 1000
      const pastBy = (offsetMs: number) => reading.sentAt + offsetMs - (resetMs + roundingMs + clocksDifferMs)
      const pastByMs = pastBy(earliest)
      if (pastByMs > 0) return breach('reset-in-past', { ...facts, byMs: Math.round(pastByMs) })
      // Only a Limit that is the minute's, and not the day's too, says that the minute is shown.
      const quota = reading.key === null ? undefined : quotas.get(reading.key)
      const shown = limit.state === 'number' ? limit.value : undefined
      const showsMinute = quota !== undefined && shown === quota.minute && quota.day !== quota.minute
      const length = showsMinute ? Math.max(minuteMs, waitOf(reading)) : dayMs
      const beyondBy = (offsetMs: number) =>
        resetMs - roundingMs - clocksDifferMs - (reading.receivedAt + offsetMs + length)
      const beyondByMs = beyondBy(latest)
      if (beyondByMs > 0)
        return breach('reset-beyond-window', { ...facts, byMs: Math.round(beyondByMs), windowMs: length })
      const isKnown = showsMinute || (quota !== undefined && shown === quota.day)
      return isKnown && pastBy(likely.from) <= 0 && beyondBy(likely.to) <= 0 ? undefined : 'skip'
    })
  },
})
