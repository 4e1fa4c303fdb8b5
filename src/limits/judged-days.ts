import type { PlanName } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'
import { type Diagnosis, diagnose } from './diagnosis.js'
import { type History, outcomes } from './history.js'
import { judgeQuota, type QuotaJudgement } from './judge-quota.js'
import { doubtsOf, type JudgedKey, judgedKeys } from './judged-keys.js'
import { keyHistory } from './key-history.js'
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

const judgeDay = (evidence: Evidence, key: JudgedKey): JudgedDay => {
  const dayWindow = { ...key.window, window: 'day' as const }
  const known = keyHistory(key.record, dayWindow, key.clock)
  const history = wasUnused(evidence) ? { ...known, priorUntilMs: Number.NEGATIVE_INFINITY } : known
  const window = { limit: key.window.quota.day, windowMs: key.window.dayMs }
  const circumstances = { keyIsQuiet: isQuiet(key.record), doubts: doubtsOf(evidence, key.name) }
  const judgement = provenBothWays(judgeQuota(history, window, circumstances), history, window.limit)
  const [diagnosis = null] = judgement.verdict === 'fail' ? diagnose(history, window) : []
  return { plan: key.plan, key, history, judgement, diagnosis }
}

/**
 * Where anything may have been spent before the run, a refusal before the limit proves nothing, and neither does its
 * absence: only a key that was admitted its whole day within the run was certainly not refused early.
 */
const provenBothWays = (
  judgement: QuotaJudgement,
  { outcome, priorUntilMs }: History,
  limit: number,
): QuotaJudgement => {
  if (judgement.verdict !== 'pass' || priorUntilMs === Number.NEGATIVE_INFINITY) return judgement
  const admitted = outcome.reduce((sum, each) => sum + (each === outcomes.admitted ? 1 : 0), 0)
  if (admitted >= limit) return judgement
  return { verdict: 'inconclusive', reason: 'used-before', explanations: judgement.explanations }
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
