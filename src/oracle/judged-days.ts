import { bucketModels, freeGrids, type ModelName, modelNames } from '../contract/limiter-models.js'
import { type QuotaWindow, secondMs } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'
import { placesOf } from '../kit/numbers.js'
import { type History, outcomes, withOutcomes } from '../readings/history.js'
import { keyHistory, longerThan } from '../readings/key-history.js'
import type { KeyRecord } from '../readings/key-record.js'
import { mayEndCalendarDay, type StatedWindow, statedErrorMs, statedWindows } from '../readings/stated-window.js'
import { mostWitnesses } from './counting/tally.js'
import { diagnoseDay } from './diagnosis/common-diagnosis.js'
import type { Diagnosis } from './diagnosis/diagnosis.js'
import {
  type Circumstances,
  type DoubtReason,
  judgeExplained,
  judgeQuota,
  type QuotaJudgement,
  withoutRefusals,
} from './judge-quota.js'
import { doubtsOf, isKeyQuiet, type JudgedKey } from './judged-keys.js'
import { type Explanations, explainAll } from './models/explain.js'
import { explanationOf } from './models/explanation.js'

/** A window for which the target's count and its own statement cannot both be right. */
interface StatementBreach {
  readonly reason: 'over-admission' | 'early-refusal'
  readonly stated: StatedWindow
  /** How many were certainly admitted in the window; for an early refusal, the most that can have been spent. */
  readonly counted: number
  /** Indices into the history: a few of the admissions, or the refusal. */
  readonly witnesses: readonly number[]
}

/** A day that seems to begin this soon after the answer to the run's first request began with that request. */
const beginsWithinMs = 100

/** The most that any limiter of the minute lets through in a span: 60 a minute let 240 through in 2.5 minutes. */
const mostWithin = (spanMs: number, { limit, windowMs }: QuotaWindow): number =>
  spanMs <= 0 ? 0 : limit * (2 + Math.floor(spanMs / windowMs))

/**
 * The latest moment at which the day can have begun, by the waits that lead to its end: each one promises quota when it is
 * over, so the day began at most its length before that. Several waits, named at different fractions of a second, make it
 * exact. If it is the moment of the run's first request, that request opened the day.
 */
const beganBy = (record: KeyRecord, history: History, { beganMs, endsMs }: StatedWindow, dayMs: number): number => {
  let latest = beganMs.to
  for (let i = 0; i < record.size; i += 1) {
    const endMs = record.receivedMs[i] + record.waitMs[i]
    const leadsThere = record.sentMs[i] + record.waitMs[i] <= endsMs.to + statedErrorMs && endMs >= endsMs.from
    if (history.outcome[i] === outcomes.refused && leadsThere) latest = Math.min(latest, endMs - dayMs)
  }
  const opened = latest >= record.sentMs[0] && latest <= record.receivedMs[0] + beginsWithinMs
  return opened ? record.sentMs[0] : latest
}

/** The requests that were certainly decided in the window: their answer names it, or they lie within it. */
const decidedIn = (record: KeyRecord, { resets, certainMs }: StatedWindow, fromMs = certainMs.from): number[] => {
  const naming = new Set(resets)
  const from = Math.min(fromMs, certainMs.from)
  return placesOf(
    record.size,
    (i) => naming.has(i) || (record.sentMs[i] >= from && record.receivedMs[i] <= certainMs.to),
  )
}

type StatingKey = Pick<JudgedKey, 'record' | 'window' | 'clock' | 'judgement'>

const breachOf = ({ record, window }: StatingKey, history: History, stated: StatedWindow): StatementBreach | null => {
  const { limit, windowMs } = longerThan(window)
  const began = beganBy(record, history, stated, windowMs)
  const admitted = decidedIn(record, stated, began).filter((i) => history.outcome[i] === outcomes.admitted)
  if (admitted.length > limit) {
    const witnesses = [admitted[0], ...admitted.slice(1 - mostWitnesses)]
    return { reason: 'over-admission', stated, counted: admitted.length, witnesses }
  }
  const refusal = decidedIn(record, stated).find((i) => history.outcome[i] === outcomes.refused)
  if (refusal === undefined) return null
  let most = mostWithin(history.priorUntilMs - stated.beganMs.from, window)
  for (let i = 0; i < record.size && record.sentMs[i] <= record.receivedMs[refusal]; i += 1) {
    const mayCount = history.outcome[i] === outcomes.admitted || history.outcome[i] === outcomes.unknown
    if (mayCount && history.receivedMs[i] >= stated.beganMs.from) most += 1
  }
  return most < limit ? { reason: 'early-refusal', stated, counted: most, witnesses: [refusal] } : null
}

/**
 * The breach if a key's count and what the target states about its day cannot both be right; null if they can. Either more
 * than the limit were admitted in the stated day, or the target refused before this run, and whoever used the key between the
 * day's stated start and the run's, can have spent the limit. If the day of 1,000 began two minutes before the run and the
 * minute has 60, others spent 240 at most: a refusal after 700 of the run's own is early. If the minute is broken too,
 * nothing bounds that use, and only admissions count against the key.
 */
export const dayBreach = (key: StatingKey, history: History): StatementBreach | null => {
  for (const stated of statedWindows(key.record, key.window, key.clock)) {
    const breach = breachOf(key, history, stated)
    if (breach && (breach.reason === 'over-admission' || key.judgement?.verdict !== 'fail')) return breach
  }
  return null
}

/**
 * Whether every refusal that names the moment may mean a bucket: its next token, at most W/L away, or the full bucket, W
 * away. Neither is the end of a window. A bucket of 1,000 a day that refuses has a token within 86.4 s, and may name that
 * moment 20 times in a row.
 */
const maySpeakOfBucket = ({ stated }: StatementBreach, { record, window }: JudgedKey): boolean => {
  const { limit, windowMs } = longerThan(window)
  const tokenMs = windowMs / limit
  return stated.resets
    .filter((i) => record.status[i] === 429)
    .every((i) => {
      const [leastMs, mostMs] = [stated.endsMs.from - record.receivedMs[i], stated.endsMs.to - record.sentMs[i]]
      return leastMs <= tokenMs || (leastMs <= windowMs && mostMs >= windowMs - tokenMs)
    })
}

/** Whether the stated day may have begun with the run's first request: nothing was spent in a window before it. */
const mayBeginWithRun = ({ stated: { beganMs } }: StatementBreach, { record }: JudgedKey): boolean =>
  beganMs.from <= record.receivedMs[0] && record.sentMs[0] <= beganMs.to

/**
 * The models that a broken statement of the day refutes. A bucket's moments may not state a window, and a sliding counter may
 * refuse early in a day because of what was spent in the day before.
 */
const boundByStatement = (breach: StatementBreach, key: JudgedKey): readonly ModelName[] => {
  const carriesOver = breach.reason === 'early-refusal' && !mayBeginWithRun(breach, key)
  const speaksOfBucket = maySpeakOfBucket(breach, key)
  const isFree = (name: ModelName) =>
    name === 'sliding-counter' ? carriesOver : bucketModels.includes(name) && speaksOfBucket
  return modelNames.filter((name) => !isFree(name))
}

/** The index of the last admission before the day's first certain refusal; -1 if there is none. */
const lastAdmission = ({ outcome, size }: History): number => {
  const first = outcome.indexOf(outcomes.refused)
  return outcome.subarray(0, first === -1 ? size : first).lastIndexOf(outcomes.admitted)
}

/**
 * A day's history in two readings: the minute's refusals either do not count in the day, or all of them do. Either is honest,
 * a mixture is not. With a day of 1,000: after 990 admissions and 10 refusals by the minute, the day may refuse at once or
 * after ten more admissions, but not after five. Refusals right before the day's own stay *unknown* in both, since nothing
 * shows which window they came from.
 */
export const dayReadings = (record: KeyRecord, history: History): readonly History[] => {
  const last = lastAdmission(history)
  if (last === -1) return [history]
  const isByMinute = (i: number) =>
    i < last &&
    record.status[i] === 429 &&
    history.outcome[i] === outcomes.unknown &&
    record.ordinary[i] === 1 &&
    record.receivedMs[i] <= record.sentMs[last]
  if (!placesOf(last).some(isByMinute)) return [history]
  return [outcomes.excused, outcomes.admitted].map((outcome) =>
    withOutcomes(history, (each, i) => (isByMinute(i) ? outcome : each)),
  )
}

export interface JudgedDay {
  readonly plan: string
  readonly key: JudgedKey
  readonly history: History
  readonly judgement: QuotaJudgement
  readonly diagnosis: Diagnosis | null
}

/**
 * Whether the target itself says that the key's day began with the run's first request and outlasts the run: all answers that
 * show the day name a Reset one day after that request. False if that may be the end of a calendar day.
 */
const beganWithRun = ({ record, window, clock }: JudgedKey): boolean => {
  const day = longerThan(window)
  const named = new Set(record.reset.filter((_, i) => record.limit[i] === day.limit))
  const [reset] = named
  if (named.size === 0 || day.limit === window.limit || mayEndCalendarDay(reset)) return false
  const dueMs = record.sentMs[0] + day.windowMs
  const lastMs = record.sentMs[record.size - 1]
  return [...named].every((each) => {
    const [from, to] = [each * secondMs - clock.to, each * secondMs - clock.from]
    return from - statedErrorMs <= dueMs && dueMs <= to + statedErrorMs && from > lastMs
  })
}

/** The history that counts against the key: without refusals if somebody else spends the key. */
const withoutDoubtful = (history: History, { keyIsQuiet }: Circumstances): History =>
  keyIsQuiet ? history : withoutRefusals(history)

/** Judges as if the key's day had begun with the run. If no boundary lies in the run, a grid admits what a log does. */
const judgeWholeDay = (known: History, window: QuotaWindow, circumstances: Circumstances, isWithin: boolean) => {
  const history = { ...known, priorUntilMs: Number.NEGATIVE_INFINITY }
  const explanations = explainAll(withoutDoubtful(history, circumstances), window)
  const log = explanations['sliding-log']
  const within = isWithin ? Object.fromEntries(freeGrids.map((name) => [name, log])) : {}
  return judgeExplained({ ...explanations, ...within }, history, window, circumstances)
}

/** Each model's explanation if the count contradicts the target's statement: a model bound by it no longer explains. */
const refutedByStatement = (
  breach: StatementBreach,
  limit: number,
  bound: readonly ModelName[],
  explanations: Explanations,
): Explanations => {
  const beyond = breach.counted - limit
  const stated = explanationOf(Math.max(0, beyond), Math.max(0, -beyond), breach.witnesses)
  const said = modelNames.flatMap((name) => {
    const each = explanations[name]
    return each ? [[name, each.verdict === 'explained' && bound.includes(name) ? stated : each] as const] : []
  })
  return Object.fromEntries(said)
}

/**
 * A key that may have been used before the run fails only for what that use cannot excuse, and passes only if it would also
 * pass without such use and with no end of a day within the run. In either case its count is compared with what the target
 * states about its day, for the limiters that state something by it.
 */
const judgeReading = (evidence: Evidence, key: JudgedKey, isUnused: boolean, history: History): QuotaJudgement => {
  const window = longerThan(key.window)
  // A late load does not affect a day's count.
  const doubts = doubtsOf(evidence, key.name).filter((each) => each !== 'generator-late')
  const circumstances = { keyIsQuiet: isKeyQuiet(key), doubts }
  const whole = judgeWholeDay(history, window, circumstances, beganWithRun(key))
  const known = isUnused ? whole : judgeQuota(history, window, circumstances)
  const within = judgeWholeDay(history, window, circumstances, true)
  const asKnown = leniently(leniently(known, whole, 'used-before'), within, 'day-may-have-ended')
  const breach = asKnown.verdict === 'fail' ? null : dayBreach(key, withoutDoubtful(history, circumstances))
  if (breach === null) return asKnown
  const bound = boundByStatement(breach, key)
  const [knownAsStated, wholeAsStated] = [known, whole].map(({ explanations }) =>
    judgeExplained(refutedByStatement(breach, window.limit, bound, explanations), history, window, circumstances),
  )
  return knownAsStated.verdict === 'fail' ? wholeAsStated : leniently(knownAsStated, wholeAsStated, 'used-before')
}

const toExplain = (judgement: QuotaJudgement): number =>
  judgement.verdict === 'fail' ? judgement.refutation.overAdmitted + judgement.refutation.earlyRefused : 0

/** Either reading of a day is honest, so one that passes will do; else the one with the fewest unexplained exchanges. */
const likeliest = (readings: readonly QuotaJudgement[]): QuotaJudgement =>
  readings.find(({ verdict }) => verdict === 'pass') ??
  readings.find(({ verdict }) => verdict === 'inconclusive') ??
  readings.reduce((best, each) => (toExplain(each) < toExplain(best) ? each : best))

/**
 * Judges one key's day.
 *
 * @param isUnused whether the key is known to be unused in the day before the run.
 */
export const judgeDay = (evidence: Evidence, key: JudgedKey, isUnused: boolean): JudgedDay => {
  const history = keyHistory(key.record, key.window, key.clock, 'longer')
  const readings = dayReadings(key.record, history)
  const judgement = likeliest(readings.map((each) => judgeReading(evidence, key, isUnused, each)))
  const diagnosis = judgement.verdict === 'fail' ? diagnoseDay(history, longerThan(key.window)) : null
  return { plan: key.plan, key, history, judgement, diagnosis }
}

/** A pass if the other reading passes too; else inconclusive, for this reason. */
const leniently = (asKnown: QuotaJudgement, other: QuotaJudgement, reason: DoubtReason): QuotaJudgement => {
  if (asKnown.verdict !== 'pass' || other.verdict === 'pass') return asKnown
  return { verdict: 'inconclusive', reason, explanations: asKnown.explanations }
}
