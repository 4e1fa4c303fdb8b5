import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { closestOf, type QuotaJudgement } from '../judge-quota.js'
import type { Explanations } from '../models/explain.js'
import type { Refutation } from '../models/explanation.js'
import { attributed, inAgreement } from './common-diagnosis.js'
import type { DefectId } from './diagnosis.js'

const refuted = (reason: Refutation['reason'], exchanges: number): Refutation => ({
  verdict: 'refuted',
  reason,
  witnesses: [],
  overAdmitted: reason === 'early-refusal' ? 0 : exchanges,
  earlyRefused: reason === 'over-admission' ? 0 : exchanges,
})

type Failure = QuotaJudgement & { readonly verdict: 'fail' }

/** A failure whose models are refuted for these reasons in turn, with ever more to explain away. */
const failure = (clause: Failure['clause'], ...reasons: Refutation['reason'][]): Failure => {
  const explanations = Object.fromEntries(
    modelNames.map((name, i) => [name, refuted(reasons[i % reasons.length], i + 1)]),
  ) as Explanations
  const closest = closestOf(explanations)
  if (!closest) throw new Error('no model is refuted')
  return { verdict: 'fail', clause, ...closest, reasonsDiffer: reasons.length > 1, explanations }
}

const as = (id: DefectId) => ({ id, facts: {} })

describe('the clause that a broken limiter breaks', () => {
  it.each([
    ['window-shorter', 'QUOTA-1'],
    ['nodes-count-alone', 'QUOTA-1'],
    ['window-longer', 'QUOTA-2'],
    ['refusals-count', 'QUOTA-2'],
  ] as const)('is the one that %s breaks, where the models differ: %s', (id, clause) => {
    const judgement = failure('QUOTA-2', 'early-refusal', 'over-admission', 'both')
    expect(attributed(judgement, as(id))).toMatchObject({ clause })
  })

  it('stays an over-admission where that is all that the closest model saw', () => {
    const judgement = failure('QUOTA-1', 'over-admission', 'early-refusal')
    expect(attributed(judgement, as('window-longer'))).toBe(judgement)
  })

  it.each([
    ['QUOTA-1', ['early-refusal', 'over-admission'], 'over-admission'],
    ['QUOTA-1', ['early-refusal', 'both'], 'both'],
    ['QUOTA-2', ['over-admission', 'early-refusal'], 'early-refusal'],
    ['QUOTA-2', ['over-admission', 'both'], 'both'],
  ] as const)('is %s by the word of other plans, and told with a reason for it', (clause, reasons, reason) => {
    const voice = failure(clause, clause === 'QUOTA-1' ? 'over-admission' : 'early-refusal')
    const doubtful = failure(clause === 'QUOTA-1' ? 'QUOTA-2' : 'QUOTA-1', ...reasons)
    const [, judged] = inAgreement([{ judgement: voice }, { judgement: doubtful }])
    expect(judged.judgement).toMatchObject({ clause, refutation: { reason } })
    expect(judged.judgement).toMatchObject({ closest: modelNames[1] })
  })
})
