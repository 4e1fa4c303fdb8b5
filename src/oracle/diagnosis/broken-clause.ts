import { closestOf, type QuotaJudgement } from '../judge-quota.js'
import type { Refutation } from '../models/explanation.js'
import type { DefectId, Diagnosis } from './diagnosis.js'

type Failure = QuotaJudgement & { readonly verdict: 'fail' }

/** Defects that admit too much (QUOTA-1), and those that count too much or for too long, so refuse early (QUOTA-2). */
const admitsTooMuch: ReadonlySet<DefectId> = new Set([
  'first-request-free',
  'limit-higher-by-one',
  'nodes-count-alone',
  'routes-count-alone',
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
 * Decides the broken clause where the admissible models were refuted for different reasons: the diagnosis does, for
 * that broken limiter explains everything, and no model does. But where the closest model was refuted by too many
 * admissions alone, it stays QUOTA-1. A fixed window comes closest with one early refusal, a log with four admissions
 * too many, and the diagnosis is `window-shorter`: then QUOTA-1 is broken.
 */
export const attributed = (judgement: Failure, diagnosis: Diagnosis | null): Failure => {
  const { reason } = judgement.refutation
  if (!judgement.reasonsDiffer || !diagnosis || reason === 'over-admission') return judgement
  if (admitsTooMuch.has(diagnosis.id)) return breaking(judgement, 'QUOTA-1')
  return refusesTooMuch.has(diagnosis.id) ? breaking(judgement, 'QUOTA-2') : judgement
}

/**
 * One limiter serves all plans, and is broken in one way: keys whose models disagree about the clause take that of the
 * keys whose models agree, or of the majority where none agree. A tie is QUOTA-1.
 */
export const inAgreement = <K extends { readonly judgement: QuotaJudgement | null }>(keys: readonly K[]): K[] => {
  const broken = keys.flatMap(({ judgement }) => (judgement?.verdict === 'fail' ? [judgement] : []))
  const certain = broken.filter(({ reasonsDiffer }) => !reasonsDiffer)
  const voters = certain.length > 0 ? certain : broken
  const early = voters.filter(({ clause }) => clause === 'QUOTA-2').length
  const clause = early * 2 > voters.length ? 'QUOTA-2' : 'QUOTA-1'
  return keys.map((key) =>
    key.judgement?.verdict === 'fail' && key.judgement.reasonsDiffer
      ? { ...key, judgement: breaking(key.judgement, clause) }
      : key,
  )
}

const otherReason = { 'QUOTA-1': 'early-refusal', 'QUOTA-2': 'over-admission' } as const

/** The failure as one of this clause, with the closest model that was refuted for the clause's reason. */
const breaking = (judgement: Failure, clause: Failure['clause']): Failure => {
  const fitting = ({ reason }: Refutation) => reason !== otherReason[clause]
  if (fitting(judgement.refutation)) return { ...judgement, clause }
  const shown = closestOf(judgement.explanations, fitting)
  return shown ? { ...judgement, clause, ...shown } : { ...judgement, clause }
}
