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
const failure = (side: Failure['side'], ...reasons: Refutation['reason'][]): Failure => {
  const explanations = Object.fromEntries(
    modelNames.map((name, i) => [name, refuted(reasons[i % reasons.length], i + 1)]),
  ) as Explanations
  const closest = closestOf(explanations)
  if (!closest) throw new Error('no model is refuted')
  return { verdict: 'fail', side, ...closest, reasonsDiffer: reasons.length > 1, explanations }
}

const as = (id: DefectId) => ({ id, facts: {} })

describe('the side that a broken limiter breaks', () => {
  it.each([
    ['window-shorter', 'over-admission'],
    ['nodes-count-alone', 'over-admission'],
    ['window-longer', 'early-refusal'],
    ['refusals-count', 'early-refusal'],
  ] as const)('is the one that %s breaks, where the models differ: %s', (id, side) => {
    const judgement = failure('early-refusal', 'early-refusal', 'over-admission', 'both')
    expect(attributed(judgement, as(id))).toMatchObject({ side })
  })

  it('stays an over-admission where that is all that the closest model saw, but for a defect that all keys have', () => {
    const judgement = failure('over-admission', 'over-admission', 'early-refusal')
    expect(attributed(judgement, as('window-longer'))).toBe(judgement)
    expect(attributed(judgement, as('window-longer'), true)).toMatchObject({ side: 'early-refusal' })
    expect(attributed(judgement, as('limit-lower-by-one'))).toMatchObject({ side: 'early-refusal' })
  })

  it.each([
    ['over-admission', ['early-refusal', 'over-admission'], 'over-admission'],
    ['over-admission', ['early-refusal', 'both'], 'both'],
    ['early-refusal', ['over-admission', 'early-refusal'], 'early-refusal'],
    ['early-refusal', ['over-admission', 'both'], 'both'],
  ] as const)('is %s by the word of other plans, and told with a reason for it', (side, reasons, reason) => {
    const voice = failure(side, side === 'over-admission' ? 'over-admission' : 'early-refusal')
    const doubtful = failure(side === 'over-admission' ? 'early-refusal' : 'over-admission', ...reasons)
    const [, judged] = inAgreement([{ judgement: voice }, { judgement: doubtful }])
    expect(judged.judgement).toMatchObject({ side, refutation: { reason } })
    expect(judged.judgement).toMatchObject({ closest: modelNames[1] })
  })
})
