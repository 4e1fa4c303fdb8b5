import type { KeyQuota } from '../../contract/key-quota.js'
import { secondMs } from '../../contract/whole-seconds.js'
import type { Evidence } from '../../evidence/evidence.js'
import { formatDuration } from '../../kit/duration.js'
import type { Witness } from '../../kit/witness.js'
import { windowsOf } from '../../readings/quota-views.js'
import type { RateReading } from '../../readings/readings.js'
import { runClock, type TargetClock } from '../../readings/target-clock.js'
import { byCode } from '../framework/advice.js'
import { bringing } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { breach, inconclusive } from '../framework/finding.js'
import { judgeReadings } from '../framework/judge-cases.js'
import { fieldNames } from '../readings/field-names.js'
import { otherUnit } from './other-unit.js'

/** The clock behind `Date` may be another one than that behind Reset. */
const clocksDifferMs = 1_000
/** The first and the last offset that may be meant: by the clock itself, or by what its Dates say where they are none. */
const outermost = ({ from, to, said }: TargetClock): [number, number] => [
  Math.min(from, said?.from ?? from),
  Math.max(to, said?.to ?? to),
]

const waitOf = ({ retryAfter }: Pick<RateReading, 'retryAfter'>): number =>
  retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : 0

/**
 * A Reset tells where it is known which window it shows, and where it lies within that window by the clock that is likely:
 * then one that lay beyond it would have been seen to. Each has to be wrong by every clock that may be meant to be a breach.
 */
const needs = { cases: 'values of Reset whose window is known, read on a clock that is known', least: 1 }

/** What is known of a run's clocks and windows, to read a Reset by. */
interface Times {
  readonly clock: TargetClock
  readonly minuteMs: number
  readonly dayMs: number
  readonly quotas: ReadonlyMap<string, KeyQuota>
}

/** The window that a reading shows, as far as that is known: only a Limit that is the minute's alone says that it is that one. */
const windowOf = ({ key, headers: { limit }, ...reading }: RateReading, { minuteMs, dayMs, quotas }: Times) => {
  const quota = key === null ? undefined : quotas.get(key)
  const shown = limit.state === 'number' ? limit.value : undefined
  const isMinute = quota !== undefined && shown === quota.limit && quota.longer !== quota.limit
  const isKnown = isMinute || (quota !== undefined && shown === quota.longer)
  return { isKnown, lengthMs: isMinute ? Math.max(minuteMs, waitOf(reading)) : dayMs }
}

/** A Reset against its window: a breach by every clock that may be meant, a doubt by the likely one, what tells, or neither. */
const placed = (reading: RateReading, reset: number, times: Times) => {
  const { clock } = times
  const [earliest, latest] = outermost(clock)
  const { likely = clock } = clock
  const resetMs = reset * 1000
  const { isKnown, lengthMs } = windowOf(reading, times)
  const slackMs = secondMs + clocksDifferMs
  const pastBy = (offsetMs: number) => Math.round(reading.sentAt + offsetMs - resetMs - slackMs)
  const beyondBy = (offsetMs: number) => Math.round(resetMs - slackMs - (reading.receivedAt + offsetMs + lengthMs))
  if (pastBy(earliest) > 0) return breach('reset-in-past', { reset, byMs: pastBy(earliest) })
  if (beyondBy(latest) > 0) return breach('reset-beyond-window', { reset, byMs: beyondBy(latest), windowMs: lengthMs })
  const doubtMs = Math.max(pastBy(likely.from), beyondBy(likely.to))
  if (doubtMs > 0) return { doubtMs }
  return isKnown ? 'tells' : 'skip'
}

const timesOf = (evidence: Evidence): Times => ({
  clock: runClock(evidence),
  ...windowsOf(evidence),
  quotas: new Map(evidence.run.keys.map(({ name, quota }) => [name, quota])),
})

/** A value that is no moment of these times, whatever the clock. */
const misread = (reset: number, wallStartMs: number) => {
  if (reset > wallStartMs / 10) return breach('reset-in-milliseconds', { reset })
  return reset < wallStartMs / 1000 / 10 ? breach('reset-is-delta', { reset }) : undefined
}

export const resetIsTimestamp = defineCheck({
  id: 'rate.reset-is-timestamp',
  promise: 'X-RateLimit-Reset is a Unix timestamp in seconds, between now and the end of the window shown.',
  clauses: ['RATE-5'],
  advice: byCode("Look at how Reset is computed, and at the server's clock: the Unix time of the window's end.", {
    'reset-is-delta': 'Look at the unit of Reset: it has to be a Unix time, not the seconds that are left.',
    'reset-in-milliseconds': 'Look at the unit of Reset: it has to be seconds, not milliseconds.',
  }),
  reads: 'everything',
  alone: [['header-row'], ...bringing(429)],
  needs,
  judge(evidence) {
    const times = timesOf(evidence)
    const doubts: { readonly witness: Witness; readonly reset: number; readonly byMs: number }[] = []
    const finding = judgeReadings(evidence, needs, (reading) => {
      const { status, witness } = reading
      const { reset } = reading.headers
      if (reset.state === 'absent') return 'skip'
      // A ledger keeps no text: whether it was a fraction, which RATE-7 speaks of, the single exchanges tell.
      if (reset.state === 'malformed' && 'row' in witness) return 'skip'
      if (reset.state === 'malformed') {
        return breach('header-is-no-integer', {
          header: fieldNames(evidence).reset ?? 'Reset',
          text: reset.text,
          status,
        })
      }
      const read = evidence.view ? undefined : misread(reset.value, evidence.run.wallStartMs)
      const found = read ?? placed(reading, reset.value, times)
      if (evidence.view && typeof found === 'object' && 'code' in found) {
        const other = otherUnit(evidence, reset.value, (evidence.run.wallStartMs + reading.receivedAt) / 1000)
        if (other) return breach('reset-in-another-unit', { ...other })
      }
      if (found === 'tells') return undefined
      if (found === 'skip' || 'code' in found) return found
      doubts.push({ witness, reset: reset.value, byMs: found.doubtMs })
      return 'skip'
    })
    const [doubt] = doubts
    if (finding.verdict === 'fail' || !doubt) return finding
    const { reset, byMs } = doubt
    const witnesses = doubts.slice(0, 6).map(({ witness }) => witness)
    return inconclusive('reset-by-another-clock', { reset, byMs, resets: doubts.length }, ...witnesses)
  },
  sentences: {
    'reset-in-another-unit': (f) => `Reset is ${f.text}: that looks like ${f.seems}, where ${f.agreed} is agreed`,
    'reset-in-milliseconds': ({ reset }) => `Reset is ${reset}: a timestamp in milliseconds, where seconds are due`,
    'reset-is-delta': ({ reset }) => `Reset is ${reset}: seconds from now, where a Unix timestamp is due`,
    'reset-in-past': (f) =>
      `Reset ${f.reset} lies ${formatDuration(f.byMs)} in the past, rounding and clocks allowed for`,
    'reset-by-another-clock': (f) =>
      `${f.resets === 1 ? 'one Reset lies' : `${f.resets} Resets lie`} outside the window by the clock of this machine (${f.reset} by ${formatDuration(f.byMs)}), and within it by another that the target may go by: its Date headers settle nothing`,
    'reset-beyond-window': (f) =>
      `Reset ${f.reset} lies ${formatDuration(f.byMs)} past the end of a window of ${formatDuration(f.windowMs)}`,
  },
})
