import { type PlanName, windowMs } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Ledger, LedgerHead } from '../evidence/ledger.js'
import { type DefectId, type Diagnosis, diagnose } from './diagnosis.js'
import { heldBackKey } from './held-back.js'
import type { History } from './history.js'
import { judgeQuota, type QuotaJudgement } from './judge-quota.js'
import { type KeyWindow, keyHistory } from './key-history.js'
import { type KeyRecord, keyRecord } from './key-record.js'
import { isQuiet } from './quiet-key.js'
import { type TargetClock, targetClock } from './target-clock.js'

/** What the oracle says of one key's minutes. */
export interface JudgedKey {
  readonly name: string
  readonly plan: PlanName
  readonly record: KeyRecord
  readonly window: KeyWindow
  readonly history: History
  readonly clock: TargetClock
  /** Null where no load was put on the key. */
  readonly judgement: QuotaJudgement | null
  /** What a refuted limiter looks like; null where none was refuted, or nothing known fits. */
  readonly diagnosis: Diagnosis | null
}

/** Lost answers beyond this share leave too much open for a pass. */
const mostLost = 0.02

/** Beyond this, at the 99th percentile, a load was not sent as it was planned: milliseconds. */
const latestMs = 10

/** A load that was gone on with is one: it ended as its last part did. */
const joinedByProbe = (parts: readonly Ledger[]): Pick<LedgerHead, 'counts' | 'problem'>[] => {
  const joined = new Map<string, Pick<LedgerHead, 'counts' | 'problem'>>()
  for (const { head } of parts) {
    const { sent = 0, answered = 0 } = joined.get(head.probe)?.counts ?? {}
    const counts = { ...head.counts, sent: head.counts.sent + sent, answered: head.counts.answered + answered }
    joined.set(head.probe, { counts, problem: head.problem })
  }
  return [...joined.values()]
}

/**
 * Why a key's history holds too little for a pass. A load that was sent late says less than it was to say; where another
 * one was sent as planned the key is judged by that, for the times in the record are the true ones either way.
 */
export const doubtsOf = (evidence: Evidence, name: string): string[] => {
  const ledgers = evidence.ledgers.filter(({ head }) => head.key === name)
  const loads = evidence.resumed ? joinedByProbe(ledgers) : ledgers.map(({ head }) => head)
  const lost = loads.some(({ counts }) => counts.sent - counts.answered > counts.sent * mostLost)
  const late = ledgers.length > 0 && ledgers.every(({ head }) => (head.scheduleErrorMs?.p99 ?? 0) > latestMs)
  const ended = loads.find(({ problem }) => problem !== null)
  return [
    ...(lost ? ['answers-lost'] : []),
    ...(late ? ['generator-late'] : []),
    ...(ended ? ['load-ended-early'] : []),
  ]
}

/** Which way a broken limiter of each kind is broken. What counts too much, or for too long, refuses early. */
const admitsTooMuch: ReadonlySet<DefectId> = new Set([
  'first-request-free',
  'limit-higher-by-one',
  'nodes-count-alone',
  'window-shorter',
  'check-apart-from-count',
])
const refusesTooMuch: ReadonlySet<DefectId> = new Set([
  'limit-lower-by-one',
  'requests-count-twice',
  'quota-never-returns',
  'window-longer',
  'every-request-renews',
  'refusals-push-window',
  'refusals-count',
])

/**
 * Where the admissible models are refuted for different reasons, the one that comes closest decides the clause; a
 * broken limiter that explains everything comes closer than any of them. What even the closest one over-admitted, and
 * nothing else, stays an over-admission.
 */
const attributed = (judgement: QuotaJudgement & { verdict: 'fail' }, diagnosis: Diagnosis | null): QuotaJudgement => {
  const { reason } = judgement.refutation
  if (!judgement.reasonsDiffer || !diagnosis || reason === 'over-admission') return judgement
  if (admitsTooMuch.has(diagnosis.id)) return { ...judgement, clause: 'QUOTA-1' }
  return refusesTooMuch.has(diagnosis.id) ? { ...judgement, clause: 'QUOTA-2' } : judgement
}

/**
 * One limiter serves all plans, and is broken one way: keys whose models disagree about the reason follow those whose
 * models agree, or else the most of them. A tie is an over-admission.
 */
const inAgreement = (keys: readonly JudgedKey[]): readonly JudgedKey[] => {
  const broken = keys.flatMap(({ judgement }) => (judgement?.verdict === 'fail' ? [judgement] : []))
  const certain = broken.filter(({ reasonsDiffer }) => !reasonsDiffer)
  const voters = certain.length > 0 ? certain : broken
  const early = voters.filter(({ clause }) => clause === 'QUOTA-2').length
  const clause = early * 2 > voters.length ? 'QUOTA-2' : 'QUOTA-1'
  return keys.map((key) =>
    key.judgement?.verdict === 'fail' && key.judgement.reasonsDiffer
      ? { ...key, judgement: { ...key.judgement, clause } }
      : key,
  )
}

const collected = new WeakMap<Evidence, readonly JudgedKey[]>()

/** Every key of the run with its record and, where a load was put on it, the oracle's word. Computed once a run. */
export const judgedKeys = (evidence: Evidence): readonly JudgedKey[] => {
  const known = collected.get(evidence)
  if (known) return known
  const { run } = evidence
  const clock = targetClock(evidence.exchanges, run.wallStartMs)
  const [minuteMs, dayMs] = [windowMs('minute', run.timeScale), windowMs('day', run.timeScale)]
  const recorded = run.keys.map(({ name, plan, quota }) => {
    const window: KeyWindow = { window: 'minute', quota, minuteMs, dayMs }
    const record = keyRecord(evidence, name, clock)
    return { name, plan, record, window, clock, history: keyHistory(record, window, clock) }
  })
  const shared = heldBackKey(evidence) !== undefined
  const made = recorded.map((key) => {
    const isLoaded = evidence.ledgers.some(({ head }) => head.key === key.name)
    if (!isLoaded) return { ...key, judgement: null, diagnosis: null }
    const minute = { limit: key.window.quota.minute, windowMs: minuteMs }
    const circumstances = { keyIsQuiet: isQuiet(key.record), doubts: doubtsOf(evidence, key.name) }
    const judgement = judgeQuota(key.history, minute, circumstances)
    if (judgement.verdict !== 'fail') return { ...key, judgement, diagnosis: null }
    const others = recorded.filter(({ name }) => name !== key.name)
    const otherLimits = Object.fromEntries(others.map(({ plan, window }) => [plan, window.quota.minute]))
    const [diagnosis = null] = diagnose(key.history, minute, {
      otherLimits,
      companions: shared ? others.map(({ history }) => history) : [],
    })
    return { ...key, judgement: attributed(judgement, diagnosis), diagnosis }
  })
  const agreed = inAgreement(made)
  collected.set(evidence, agreed)
  return agreed
}
