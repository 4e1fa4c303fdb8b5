import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { closestOf, type QuotaJudgement } from '../judge-quota.js'
import type { Explanations } from '../models/explain.js'
import type { Refutation } from '../models/explanation.js'
import { attributed, inAgreement, isOneSided } from './common-diagnosis.js'
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
  return { verdict: 'fail', side, ...closestIn(explanations), reasonsDiffer: reasons.length > 1, explanations }
}

const closestIn = (explanations: Explanations) => {
  const closest = closestOf(explanations)
  if (!closest) throw new Error('no model is refuted')
  return closest
}

const window = { limit: 60, windowMs: 60_000 }
const as = (id: DefectId, limit = 60) => ({ id, facts: { limit } })

describe('the side that a broken limiter breaks', () => {
  it.each([
    ['window-shorter', 60, 'over-admission'],
    ['nodes-count-alone', 120, 'over-admission'],
    ['window-longer', 60, 'early-refusal'],
    ['refusals-count', 60, 'early-refusal'],
    ['other-limit', 90, 'over-admission'],
    ['other-limit', 45, 'early-refusal'],
    ['limit-of-another-plan', 300, 'over-admission'],
  ] as const)('is the one that %s breaks, with %i, where the models differ: %s', (id, limit, side) => {
    const judgement = failure('early-refusal', 'early-refusal', 'over-admission', 'both')
    expect(attributed(judgement, as(id, limit), window)).toMatchObject({ side })
  })

  it('stays an over-admission where that is all that the closest model saw, but for a defect that all keys have', () => {
    const judgement = failure('over-admission', 'over-admission', 'early-refusal')
    expect(attributed(judgement, as('window-longer'), window)).toBe(judgement)
    expect(attributed(judgement, as('window-longer'), window, true)).toMatchObject({ side: 'early-refusal' })
    expect(attributed(judgement, as('limit-lower-by-one'), window)).toMatchObject({ side: 'early-refusal' })
  })

  it('is that of the wrong length where a sliding counter comes closest, whatever its best phase says', () => {
    const explanations = { 'sliding-counter': refuted('over-admission', 12) }
    const judgement: Failure = {
      ...failure('over-admission', 'over-admission'),
      ...closestIn(explanations),
      explanations,
    }
    expect(attributed(judgement, as('window-longer'), window, true)).toMatchObject({ side: 'early-refusal' })
    expect(attributed(judgement, as('window-longer'), window)).toBe(judgement)
    expect(attributed(judgement, as('refusals-count'), window, true)).toBe(judgement)
  })

  it.each<readonly [boolean, readonly DefectId[]]>([
    [true, ['refusals-count', 'window-longer']],
    [false, ['refusals-count', 'window-shorter']],
    [false, ['other-model', 'other-model']],
    [false, ['refusals-count']],
  ])('is of all keys: %s, where they look like %j', (expected, ids) => {
    expect(isOneSided(ids.map((id) => [as(id), window]))).toBe(expected)
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
