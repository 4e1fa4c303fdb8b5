import { describe, expect, it } from 'vitest'
import type { Decision } from '../readings/history.js'
import { judgeQuota } from './judge-quota.js'
import { type HistoryEvent, historyOf } from './testing/made-history.js'

const window = { limit: 5, windowMs: 1000 }
const inRow = (outcome: Decision, count: number, fromMs: number): HistoryEvent[] =>
  Array.from({ length: count }, (_, i) => ({ sentMs: fromMs + 2 * i, receivedMs: fromMs + 2 * i + 1, outcome }))

const exact = historyOf([...inRow('admitted', 5, 0), ...inRow('refused', 3, 20)])
const oneMoreInPhase = historyOf([
  ...inRow('admitted', 6, 0),
  ...inRow('refused', 3, 20),
  ...inRow('admitted', 6, 500),
  ...inRow('refused', 3, 520),
])
const tooFew = historyOf([...inRow('admitted', 4, 0), ...inRow('refused', 3, 20)])

describe('the verdict on a quota', () => {
  it('is a pass where a model explains a history that went beyond the limit', () => {
    expect(judgeQuota(exact, window)).toMatchObject({ verdict: 'pass' })
  })

  it('is a pass where somebody else seems to spend a key of which all was admitted here', () => {
    const elsewhere = { keyIsQuiet: false, refusedIsQuiet: true, doubts: [] }
    const judged = (...events: readonly HistoryEvent[]) => judgeQuota(historyOf(events), window, elsewhere)
    expect(judgeQuota(exact, window, elsewhere)).toMatchObject({ verdict: 'pass' })
    expect(judged(...inRow('admitted', 5, 0))).toMatchObject({ reason: 'key-not-quiet' })
    expect(judgeQuota(tooFew, window, elsewhere)).toMatchObject({ reason: 'key-not-quiet' })
    expect(judgeQuota(exact, window, { ...elsewhere, refusedIsQuiet: false })).toMatchObject({
      reason: 'key-not-quiet',
    })
  })

  it('is inconclusive where the limit was never reached, answers are in doubt, or somebody else spends the key', () => {
    expect(judgeQuota(historyOf(inRow('admitted', 5, 0)), window)).toMatchObject({ reason: 'limit-never-reached' })
    expect(judgeQuota(exact, window, { keyIsQuiet: true, doubts: ['answers-lost'] })).toMatchObject({
      reason: 'answers-lost',
    })
    expect(judgeQuota(tooFew, window, { keyIsQuiet: false, doubts: [] })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'key-not-quiet',
    })
  })

  it('is inconclusive where more than the limit was admitted across an edge, and nothing refused', () => {
    expect(judgeQuota(historyOf(inRow('admitted', 8, 0)), window)).toMatchObject({ reason: 'limit-never-reached' })
  })

  it('fails on an early refusal, whatever the doubts', () => {
    expect(judgeQuota(tooFew, window, { keyIsQuiet: true, doubts: ['answers-lost'] })).toMatchObject({
      side: 'early-refusal',
    })
  })

  it('fails on an over-admission, on a key that is not quiet too', () => {
    const many = historyOf([...inRow('admitted', 11, 0), ...inRow('refused', 1, 30)])
    expect(judgeQuota(many, window)).toMatchObject({ verdict: 'fail', side: 'over-admission' })
    expect(judgeQuota(many, window, { keyIsQuiet: false, doubts: [] })).toMatchObject({ side: 'over-admission' })
    expect(judgeQuota(oneMoreInPhase, window)).toMatchObject({
      verdict: 'fail',
      side: 'over-admission',
      reasonsDiffer: false,
    })
  })

  it('leaves the side open where every model admits too much and refuses too early', () => {
    const both = historyOf([
      ...inRow('admitted', 12, 0),
      ...inRow('refused', 1, 30),
      ...inRow('admitted', 2, 5_000),
      ...inRow('refused', 9, 5_020),
    ])
    expect(judgeQuota(both, window)).toMatchObject({
      verdict: 'fail',
      refutation: { reason: 'both' },
      reasonsDiffer: true,
    })
  })
})
