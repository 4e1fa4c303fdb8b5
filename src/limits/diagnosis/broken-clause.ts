import { closestOf, type QuotaJudgement } from '../judge-quota.js'
import type { Refutation } from '../models/explanation.js'
import type { DefectId, Diagnosis } from './diagnosis.js'

type Failure = QuotaJudgement & { readonly verdict: 'fail' }

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
export const attributed = (judgement: Failure, diagnosis: Diagnosis | null): Failure => {
  const { reason } = judgement.refutation
  if (!judgement.reasonsDiffer || !diagnosis || reason === 'over-admission') return judgement
  if (admitsTooMuch.has(diagnosis.id)) return breaking(judgement, 'QUOTA-1')
  return refusesTooMuch.has(diagnosis.id) ? breaking(judgement, 'QUOTA-2') : judgement
}

/**
 * One limiter serves all plans, and is broken one way: keys whose models disagree about the reason follow those whose
 * models agree, or else the most of them. A tie is an over-admission.
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

/** The same failure as one of a clause, shown by a model that was refuted for the reason that the clause is about. */
const breaking = (judgement: Failure, clause: Failure['clause']): Failure => {
  const fitting = ({ reason }: Refutation) => reason !== otherReason[clause]
  if (fitting(judgement.refutation)) return { ...judgement, clause }
  const shown = closestOf(judgement.explanations, fitting)
  return shown ? { ...judgement, clause, ...shown } : { ...judgement, clause }
}
