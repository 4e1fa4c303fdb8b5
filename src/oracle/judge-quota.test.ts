import { describe, expect, it } from 'vitest'
import { type Decision, type HistoryEvent, historyOf } from '../readings/history.js'
import { judgeQuota } from './judge-quota.js'

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

  it('fails QUOTA-2 on an early refusal, whatever the doubts', () => {
    expect(judgeQuota(tooFew, window, { keyIsQuiet: true, doubts: ['answers-lost'] })).toMatchObject({
      clause: 'QUOTA-2',
    })
  })

  it('fails QUOTA-1 on an over-admission, on a key that is not quiet too', () => {
    const many = historyOf([...inRow('admitted', 11, 0), ...inRow('refused', 1, 30)])
    expect(judgeQuota(many, window)).toMatchObject({ verdict: 'fail', clause: 'QUOTA-1' })
    expect(judgeQuota(many, window, { keyIsQuiet: false, doubts: [] })).toMatchObject({ clause: 'QUOTA-1' })
    expect(judgeQuota(oneMoreInPhase, window)).toMatchObject({
      verdict: 'fail',
      clause: 'QUOTA-1',
      reasonsDiffer: false,
    })
  })

  it('is open where only a sliding counter explains a limit that may be another, until a burst after longer silence tells', () => {
    const used = inRow('admitted', 1, 0)
    const afterOneWindow = [...inRow('admitted', 4, 1_100), ...inRow('refused', 3, 1_120)]
    const afterTwo = (admitted: number) => [...inRow('admitted', admitted, 3_300), ...inRow('refused', 3, 3_320)]
    const judged = (...events: HistoryEvent[]) => judgeQuota(historyOf([...used, ...afterOneWindow, ...events]), window)
    expect(judged()).toMatchObject({ verdict: 'inconclusive', reason: 'limit-not-pinned' })
    expect(judged(...afterTwo(5))).toMatchObject({ verdict: 'pass' })
    expect(judged(...afterTwo(4))).toMatchObject({ verdict: 'fail', clause: 'QUOTA-2' })
    // The first of six may have been decided in the window before: honest, and no sign of a limit of five.
    const opened = [{ sentMs: 3_200, receivedMs: 3_201, outcome: 'admitted' } as const]
    expect(judged(...opened, ...afterTwo(4))).toMatchObject({ verdict: 'pass' })
    expect(judged(...opened, ...afterTwo(5))).toMatchObject({ reason: 'limit-not-pinned' })
    expect(judged(...inRow('admitted', 5, 3_300))).toMatchObject({ reason: 'limit-not-pinned' })
  })
})
