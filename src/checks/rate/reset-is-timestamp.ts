import type { ResetUnit } from '../../contract/api-contract.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { type KeyQuota, secondMs } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Witness } from '../../kit/witness.js'
import { formatDuration } from '../../kit/words.js'
import { viewOf } from '../../readings/quota-views.js'
import type { RateReading } from '../../readings/readings.js'
import { runClock } from '../../readings/run-clock.js'
import { clocksDifferMs, type TargetClock } from '../../readings/target-clock.js'
import { byCode, defineCheck } from '../framework/check.js'
import { breach, fail, inconclusive } from '../framework/finding.js'
import { judgeReadings } from '../framework/judge-cases.js'
import { bringing } from '../framework/needs.js'
import { notInteger } from './field-names.js'

type PlainUnit = Extract<ResetUnit, 'epoch-s' | 'epoch-ms' | 'delta-s' | 'delta-ms'>

/** For each unit, the moment that a number names, and the number of a moment; moments in seconds since the epoch. */
const units: Readonly<
  Record<PlainUnit, { of: (value: number, now: number) => number; back: (at: number, now: number) => number }>
> = {
  'epoch-s': { of: (value) => value, back: (at) => at },
  'epoch-ms': { of: (value) => value / 1000, back: (at) => at * 1000 },
  'delta-s': { of: (value, now) => now + value, back: (at, now) => at - now },
  'delta-ms': { of: (value, now) => now + value / 1000, back: (at, now) => (at - now) * 1000 },
}

const unitWords: Readonly<Record<PlainUnit, string>> = {
  'epoch-s': 'seconds since 1970',
  'epoch-ms': 'milliseconds since 1970',
  'delta-s': 'seconds from now',
  'delta-ms': 'milliseconds from now',
}
const plainUnits = Object.keys(units) as readonly PlainUnit[]

const isPlain = (unit: string | undefined): unit is PlainUnit => plainUnits.some((each) => each === unit)

/** How far whole seconds and two clocks may put a moment outside its window. */
const slackS = 2

/**
 * The unit in which a Reset outside its window would lie within it; undefined if there is none. If milliseconds from
 * now are agreed, a Reset of 37 fits as 37 seconds; if seconds from now are agreed, one of 1763812345 fits as a moment
 * since the epoch.
 *
 * @param resetS the moment as the contract reads it, in seconds since the epoch, as is `nowS`.
 */
export const otherUnit = (evidence: Evidence, resetS: number, nowS: number) => {
  const { as: agreed = 'delta-s' } = contractOf(evidence.run).headers.find(({ is }) => is === 'reset') ?? {}
  if (!isPlain(agreed)) return undefined
  const value = units[agreed].back(resetS, nowS)
  const fits = (unit: PlainUnit): boolean => {
    const inS = units[unit].of(value, nowS) - nowS
    return inS > 0 && inS <= viewOf(evidence).windowMs / 1000 + slackS
  }
  const seems = plainUnits.find((unit) => unit !== agreed && fits(unit))
  return seems && { agreed: unitWords[agreed], seems: unitWords[seems], text: String(Math.round(value * 1000) / 1000) }
}

/** The first and the last offset that may be meant: by the clock, or by the Dates if they can't be that clock. */
const outermost = ({ from, to, said }: TargetClock): [number, number] => [
  Math.min(from, said?.from ?? from),
  Math.max(to, said?.to ?? to),
]

const waitOf = ({ retryAfter }: Pick<RateReading, 'retryAfter'>): number =>
  retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : 0

interface Times {
  readonly clock: TargetClock
  readonly windowMs: number
  readonly dayMs: number
  readonly quotas: ReadonlyMap<string, KeyQuota>
}

/** The window that a reading shows, if known: only a Limit that differs from the day's says that it is the minute's. */
const windowOf = ({ key, headers: { limit }, ...reading }: RateReading, { windowMs, dayMs, quotas }: Times) => {
  const quota = key === null ? undefined : quotas.get(key)
  const shown = limit.state === 'number' ? limit.value : undefined
  const isMinute = quota !== undefined && shown === quota.limit && quota.longer !== quota.limit
  const isKnown = isMinute || (quota !== undefined && shown === quota.longer)
  return { isKnown, lengthMs: isMinute ? Math.max(windowMs, waitOf(reading)) : dayMs }
}

/** Compares a Reset with its window: a breach by every possible clock, a doubt by the likely one, or whether it tells. */
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

/** How far apart the clocks of several nodes may be, or how far one may be set during a run. */
const clockMovesMs = 500

interface Bound {
  readonly ms: number
  readonly reset: number
  readonly witness: Witness
}

/**
 * Whether any clock explains all Resets: it is at most so far ahead of this machine's that none was in the past when it
 * was sent, and at least so far that none was beyond its window. Each may be cut off or rounded by up to a second, but
 * all of them alike; answers and refusals may come from two places, so each kind by itself. With windows of 6 s, a
 * Reset of 1.9 s ago and one 6 s ahead are 7.9 s apart, and 7 s is the most.
 */
const followClocks = (times: Times) => {
  const seen = new Map<boolean, { late: Bound; early: Bound }>()
  const movesMs = clockMovesMs + (times.clock.contradictionMs ?? 0)
  let worst: { readonly byMs: number; readonly past: Bound; readonly ahead: Bound } | undefined
  return {
    add(reading: RateReading, reset: number) {
      const { status, sentAt, receivedAt, witness } = reading
      const late = { ms: reset * 1000 + secondMs - sentAt, reset, witness }
      const early = { ms: reset * 1000 - windowOf(reading, times).lengthMs - receivedAt, reset, witness }
      const known = seen.get(status === 429) ?? { late, early }
      const past = late.ms < known.late.ms ? late : known.late
      const ahead = early.ms > known.early.ms ? early : known.early
      seen.set(status === 429, { late: past, early: ahead })
      const byMs = Math.round(ahead.ms - past.ms - movesMs)
      if (byMs > (worst?.byMs ?? 0)) worst = { byMs, past, ahead }
    },
    unexplained: () => worst,
  }
}

const timesOf = (evidence: Evidence): Times => ({
  clock: runClock(evidence),
  ...viewOf(evidence),
  quotas: new Map(evidence.run.keys.map(({ name, quota }) => [name, quota])),
})

/** A value that is no current moment by any clock: the Petstore has a code for each of the two kinds. */
const misread = (reset: number, wallStartMs: number) => {
  if (reset > wallStartMs / 10) return breach('reset-in-milliseconds', { reset })
  return reset < wallStartMs / 1000 / 10 ? breach('reset-is-delta', { reset }) : undefined
}

/** The breach of a Reset outside its window that would lie within it in another unit. */
const inAnotherUnit = (evidence: Evidence, { receivedAt }: RateReading, reset: number) => {
  const { wallStartMs } = evidence.run
  if (!viewOf(evidence).knowsUnits) return misread(reset, wallStartMs)
  const other = otherUnit(evidence, reset, (wallStartMs + receivedAt) / 1000)
  return other && breach('reset-in-another-unit', { ...other })
}

export const resetIsTimestamp = defineCheck({
  id: 'rate.reset-is-timestamp',
  promise: 'X-RateLimit-Reset is a Unix timestamp in seconds, between now and the end of the window shown.',
  clauses: ['RATE-5'],
  readsReset: true,
  advice: byCode("Check how Reset is computed, and the server's clock: the Unix time of the window's end.", {
    'reset-is-delta': 'Check the unit of Reset: it must be a Unix time, not the seconds that are left.',
    'reset-in-milliseconds': 'Check the unit of Reset: it must be seconds, not milliseconds.',
  }),
  alone: [['header-row'], ...bringing(429)],
  /**
   * A Reset tells if its window is known and it lies within that by the likely clock: one beyond it would have been
   * noticed. It is a breach only if it is wrong by every clock that may be meant.
   */
  needs: { cases: 'values of Reset in a known window, on a known clock' },
  judge(evidence, telling) {
    const times = timesOf(evidence)
    const clocks = followClocks(times)
    const doubts: { readonly witness: Witness; readonly reset: number; readonly byMs: number }[] = []
    const finding = judgeReadings(evidence, telling, (reading) => {
      const { status, witness } = reading
      const { reset } = reading.headers
      if (reset.state === 'absent') return 'skip'
      // A ledger keeps no text: single exchanges show whether it was a fraction, which RATE-7 speaks of.
      if (reset.state === 'malformed' && 'row' in witness) return 'skip'
      if (reset.state === 'malformed') return notInteger(evidence, 'reset', reset.text, status)
      const found = placed(reading, reset.value, times)
      if (typeof found === 'string' || 'doubtMs' in found) clocks.add(reading, reset.value)
      if (found === 'tells') return undefined
      if (found === 'skip') return found
      if ('code' in found) return inAnotherUnit(evidence, reading, reset.value) ?? found
      doubts.push({ witness, reset: reset.value, byMs: found.doubtMs })
      return 'skip'
    })
    const pair = clocks.unexplained()
    if (finding.verdict !== 'fail' && pair) {
      const { byMs, past, ahead } = pair
      return fail('resets-by-no-clock', { byMs, past: past.reset, ahead: ahead.reset }, past.witness, ahead.witness)
    }
    const [doubt] = doubts
    if (finding.verdict === 'fail' || !doubt) return finding
    const { reset, byMs } = doubt
    const witnesses = doubts.slice(0, 6).map(({ witness }) => witness)
    return inconclusive('reset-by-another-clock', { reset, byMs, resets: doubts.length }, ...witnesses)
  },
  sentences: {
    'reset-in-another-unit': (f) => `Reset is ${f.text}, which looks like ${f.seems}; the contract says ${f.agreed}`,
    'reset-in-milliseconds': ({ reset }) => `Reset is ${reset}, a timestamp in milliseconds; it must be in seconds`,
    'reset-is-delta': ({ reset }) => `Reset is ${reset}, which is seconds from now; it must be a Unix timestamp`,
    'reset-in-past': (f) =>
      `Reset ${f.reset} lies ${formatDuration(f.byMs)} in the past, even allowing for rounding and clocks`,
    'resets-by-no-clock': (f) =>
      `either Reset ${f.past} lay in the past when it was sent, or Reset ${f.ahead} of another answer lay beyond its window, by ${formatDuration(f.byMs)} more than rounding explains, whatever the target's clock says`,
    'reset-by-another-clock': (f) =>
      `${f.resets === 1 ? 'one Reset lies' : `${f.resets} Resets lie`} outside the window by this machine's clock (${f.reset} by ${formatDuration(f.byMs)}), but inside it by another clock that the target may use: its Date headers do not settle it`,
    'reset-beyond-window': (f) =>
      `Reset ${f.reset} lies ${formatDuration(f.byMs)} past the end of a window of ${formatDuration(f.windowMs)}`,
  },
})
