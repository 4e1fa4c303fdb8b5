import { windowMs } from '../../contract/plans.js'
import type { RateReading } from '../../limits/rate-readings.js'
import { targetClock } from '../../limits/target-clock.js'
import { defineCheck } from '../check.js'
import { breach, inconclusive } from '../finding.js'
import { judgeReadings } from './judge-readings.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'reset-in-milliseconds': { reset: number }
    'reset-is-delta': { reset: number }
    'reset-in-past': { reset: number; byMs: number }
    'reset-beyond-window': { reset: number; byMs: number; windowMs: number }
    'clock-jumps': { byMs: number }
  }
}

/** Whole seconds stand for an interval of a second on either side; the clock behind `Date` may be another one. */
const roundingMs = 1_000
const clocksDifferMs = 1_000
/** A clock is set now and then; one that is off by more says nothing of what now is. */
const mostContradictionMs = 5_000

const waitOf = ({ retryAfter }: RateReading): number => (retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : 0)

const needs = { cases: 'values of Reset', least: 1 }

export const resetIsTimestamp = defineCheck({
  id: 'rate.reset-is-timestamp',
  promise: 'X-RateLimit-Reset is a Unix timestamp in seconds, between now and the end of the window shown.',
  clauses: ['RATE-5'],
  reads: 'everything',
  needs,
  judge(evidence) {
    const { timeScale, keys, wallStartMs } = evidence.run
    const clock = targetClock(evidence.exchanges, evidence.run.wallStartMs)
    const [minuteMs, dayMs] = [windowMs('minute', timeScale), windowMs('day', timeScale)]
    const quotas = new Map(keys.map(({ name, quota }) => [name, quota]))
    const finding = judgeReadings(evidence, needs, (reading) => {
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
      const pastByMs = reading.sentAt + clock.from - (resetMs + roundingMs + clocksDifferMs)
      if (pastByMs > 0) return breach('reset-in-past', { ...facts, byMs: Math.round(pastByMs) })
      // Only a Limit that is the minute's, and not the day's too, says that the minute is shown.
      const quota = reading.key === null ? undefined : quotas.get(reading.key)
      const shown = limit.state === 'number' ? limit.value : undefined
      const showsMinute = quota !== undefined && shown === quota.minute && quota.day !== quota.minute
      const length = showsMinute ? Math.max(minuteMs, waitOf(reading)) : dayMs
      const beyondByMs = resetMs - roundingMs - clocksDifferMs - (reading.receivedAt + clock.to + length)
      return beyondByMs > 0
        ? breach('reset-beyond-window', { ...facts, byMs: Math.round(beyondByMs), windowMs: length })
        : undefined
    })
    const { contradictionMs = 0 } = clock
    if (finding.verdict !== 'pass' || contradictionMs <= mostContradictionMs) return finding
    return { ...inconclusive('clock-jumps', { byMs: Math.round(contradictionMs) }), witnesses: finding.witnesses }
  },
})
