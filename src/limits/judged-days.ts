import type { PlanName } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'
import { diagnoseDay } from './day-diagnosis.js'
import type { Diagnosis } from './diagnosis.js'
import type { History, QuotaWindow } from './history.js'
import { type Circumstances, judgeExplained, judgeQuota, type QuotaJudgement } from './judge-quota.js'
import { doubtsOf, type JudgedKey, judgedKeys } from './judged-keys.js'
import { keyHistory } from './key-history.js'
import { explainAll } from './models.js'
import { isQuiet } from './quiet-key.js'

/** What the oracle says of one key's day. */
export interface JudgedDay {
  readonly plan: PlanName
  readonly key: JudgedKey
  readonly history: History
  readonly judgement: QuotaJudgement
  readonly diagnosis: Diagnosis | null
}

/** The probe that spends days. */
const profile = 'daily'

/** Whether the scenario says that the keys had not been used in the day before the run. */
const wasUnused = ({ run }: Evidence): boolean =>
  run.probes.some(({ probe, settings }) => probe === profile && settings.unused === true)

/** A moment in whole seconds stands for a second; the target's clock is known to some tenths of one. */
const roundingMs = 1_200

/** Days that a calendar ends, wherever on earth, end at a whole quarter of an hour. */
const quarterSeconds = 900

/**
 * Whether the target itself says that the key's day began with the run's first request and outlasts the run: every
 * answer that shows the day names one Reset, a day after that request. A calendar's day may end in the middle of a run.
 */
const beganWithRun = ({ record, window, clock }: JudgedKey): boolean => {
  const named = new Set(record.reset.filter((_, i) => record.limit[i] === window.quota.day))
  const [reset] = named
  if (named.size === 0 || window.quota.day === window.quota.minute || reset % quarterSeconds === 0) return false
  const dueMs = record.sentMs[0] + window.dayMs
  const lastMs = record.sentMs[record.size - 1]
  return [...named].every((each) => {
    const [from, to] = [each * 1000 - clock.to, each * 1000 - clock.from]
    return from - roundingMs <= dueMs && dueMs <= to + roundingMs && from > lastMs
  })
}

/** The models with a grid of their own, which could put a boundary anywhere. */
const freeGrids = ['fixed-window', 'interval-refill', 'interval-refill-idle', 'sliding-counter'] as const

/** As if the key's day had begun with the run: a grid that has no boundary in the run admits what a log does. */
const judgeWholeDay = (known: History, window: QuotaWindow, circumstances: Circumstances, isWithin: boolean) => {
  const history = { ...known, priorUntilMs: Number.NEGATIVE_INFINITY }
  const explanations = explainAll(history, window)
  const log = explanations['sliding-log']
  const within = isWithin ? Object.fromEntries(freeGrids.map((name) => [name, log])) : {}
  return judgeExplained({ ...explanations, ...within }, history, window, circumstances)
}

/**
 * Where a key may have been used before the run, only what that could not excuse is a failure, and only what would pass
 * without it is a pass.
 */
const judgeDay = (evidence: Evidence, key: JudgedKey): JudgedDay => {
  const history = keyHistory(key.record, { ...key.window, window: 'day' }, key.clock)
  const window = { limit: key.window.quota.day, windowMs: key.window.dayMs }
  // How evenly it was spent is nothing to the day.
  const doubts = doubtsOf(evidence, key.name).filter((each) => each !== 'generator-late')
  const circumstances = { keyIsQuiet: isQuiet(key.record), doubts }
  const whole = judgeWholeDay(history, window, circumstances, beganWithRun(key))
  const judgement = wasUnused(evidence) ? whole : leniently(judgeQuota(history, window, circumstances), whole)
  const diagnosis = judgement.verdict === 'fail' ? diagnoseDay(history, window) : null
  return { plan: key.plan, key, history, judgement, diagnosis }
}

const leniently = (asKnown: QuotaJudgement, whole: QuotaJudgement): QuotaJudgement => {
  if (asKnown.verdict !== 'pass' || whole.verdict === 'pass') return asKnown
  return { verdict: 'inconclusive', reason: 'used-before', explanations: asKnown.explanations }
}

const collected = new WeakMap<Evidence, readonly JudgedDay[]>()

/** The day of every key that the run set out to spend. Computed once a run. */
export const judgedDays = (evidence: Evidence): readonly JudgedDay[] => {
  const known = collected.get(evidence)
  if (known) return known
  const spent = new Set(evidence.ledgers.flatMap(({ head }) => (head.probe === profile ? [head.key] : [])))
  const made = judgedKeys(evidence)
    .filter(({ name }) => spent.has(name))
    .map((key) => judgeDay(evidence, key))
  collected.set(evidence, made)
  return made
}
