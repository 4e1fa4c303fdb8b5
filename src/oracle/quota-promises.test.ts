import { describe, expect, it } from 'vitest'
import type { QuotaWindow } from '../contract/plans.js'
import { type Decision, outcomes } from '../readings/history.js'
import { withCosts } from './costs.js'
import { judgeQuota, type QuotaJudgement } from './judge-quota.js'
import { explainAll, explainingModels } from './models/explain.js'
import { type HistoryEvent, historyOf } from './testing/made-history.js'
import { inexactHistory } from './testing/quota-histories.js'

/** Requests at the given instants, each answered a millisecond later. */
const at = (outcome: Decision, ...instants: number[]): HistoryEvent[] =>
  instants.map((sentMs) => ({ sentMs, receivedMs: sentMs + 1, outcome }))
const inRow = (outcome: Decision, count: number, fromMs: number, stepMs = 2): HistoryEvent[] =>
  at(outcome, ...Array.from({ length: count }, (_, i) => fromMs + stepMs * i))
const range = (count: number, map: (i: number) => number) => Array.from({ length: count }, (_, i) => map(i))

/** What a judgement tells in a word: the broken side, the reason for doubt, or that it passed. */
const toldBy = (judgement: QuotaJudgement): string => {
  if (judgement.verdict === 'fail') return judgement.side
  return judgement.verdict === 'inconclusive' ? judgement.reason : 'pass'
}

const paced: QuotaWindow = { limit: 60, windowMs: 60_000, burst: 1 }
const shop: QuotaWindow = { limit: 2, windowMs: 1000, burst: 40 }

describe('a quota whose bucket is not its limit', () => {
  const cases: readonly [string, QuotaWindow, HistoryEvent[], 'pass' | 'over-admission' | 'early-refusal'][] = [
    ['one each second is one each second', paced, [...at('admitted', 0, 1005), ...at('refused', 500, 1500)], 'pass'],
    ['a second one within the second is too many', paced, [...at('admitted', 0, 950)], 'over-admission'],
    [
      'a refusal after a second and a bit is early',
      paced,
      [...at('admitted', 0), ...at('refused', 1012)],
      'early-refusal',
    ],
    [
      'thousandths that are cut off are nobody’s fault',
      { limit: 100, windowMs: 60_000, burst: 1 },
      [...at('admitted', 0), ...at('refused', 601.4), ...at('admitted', 604)],
      'pass',
    ],
    [
      '40 at once and two a second',
      shop,
      [...inRow('admitted', 40, 0), ...at('refused', 90), ...at('admitted', 505, 1005), ...at('refused', 1100)],
      'pass',
    ],
    ['41 at once are too many', shop, inRow('admitted', 41, 0), 'over-admission'],
    ['39 at once are too few', shop, [...inRow('admitted', 39, 0), ...at('refused', 90)], 'early-refusal'],
    [
      'twice as much flowing in is too much',
      shop,
      [...inRow('admitted', 40, 0), ...inRow('admitted', 8, 255, 250)],
      'over-admission',
    ],
  ]
  it.each(cases)('%s', (_, window, events, expected) => {
    expect(toldBy(judgeQuota(historyOf(events), window))).toBe(expected)
  })

  it('is kept by buckets alone, and asks for one where the contract names others', () => {
    expect(Object.keys(explainAll(historyOf(at('admitted', 0)), shop))).toEqual(['token-bucket', 'gcra'])
    expect(() => explainAll(historyOf([]), { ...shop, models: ['fixed-window'] })).toThrow('a bucket')
  })
})

describe('a contract that admits some limiters', () => {
  const window: QuotaWindow = { limit: 3, windowMs: 1000 }
  const asBucket = historyOf([...at('admitted', 0, 2, 4, 340), ...at('refused', 6, 345)])

  it('is kept by one of those, and by no other', () => {
    expect(judgeQuota(asBucket, window)).toMatchObject({ verdict: 'pass' })
    expect(judgeQuota(asBucket, { ...window, models: ['sliding-log', 'gcra'] })).toMatchObject({ models: ['gcra'] })
    expect(judgeQuota(asBucket, { ...window, models: ['sliding-log'] })).toMatchObject({
      side: 'over-admission',
      closest: 'sliding-log',
    })
  })
})

describe('a request that costs more than one', () => {
  const window: QuotaWindow = { limit: 10, windowMs: 1000 }
  const judged = (events: HistoryEvent[], costs: number[], models?: QuotaWindow['models']) =>
    judgeQuota(withCosts(historyOf(events), Uint16Array.from(costs)).history, { ...window, models })

  it('is a row for each unit, and a refusal one row; rows lead back to the requests', () => {
    const events = [...at('admitted', 0), ...at('refused', 5), ...at('unknown', 10), ...at('excused', 15)]
    const { history, rows } = withCosts(historyOf(events), new Uint16Array(events.length).fill(3))
    expect([...rows]).toEqual([0, 0, 0, 1, 2, 2, 2, 3])
    expect([...history.outcome].filter((each) => each === outcomes.refused)).toHaveLength(1)
  })

  it('is refused where not all of it is left, and not before', () => {
    expect(judged([...at('admitted', 0, 2), ...at('refused', 4)], [4, 4, 3])).toMatchObject({ verdict: 'pass' })
    expect(judged([...at('admitted', 0, 2), ...at('refused', 4)], [4, 4, 2])).toMatchObject({ side: 'early-refusal' })
    expect(judged([...at('admitted', 0, 2, 4)], [4, 4, 3], ['sliding-log', 'gcra'])).toMatchObject({
      side: 'over-admission',
    })
  })

  it('may fill a window although it was refused, but not a log or a bucket', () => {
    const events = [...at('admitted', 0), ...at('refused', 4, 6)]
    expect(judged(events, [8, 5, 1])).toMatchObject({
      models: ['fixed-window', 'fixed-window-first-request', 'interval-refill', 'interval-refill-idle'],
    })
    expect(judged(events, [8, 5, 1], ['sliding-log', 'token-bucket', 'sliding-counter'])).toMatchObject({
      side: 'early-refusal',
    })
  })

  it('does not excuse for ever what is refused when it was hammered', () => {
    const events = [...inRow('admitted', 10, 0), ...inRow('refused', 400, 50, 10)]
    expect(
      judged(
        events,
        range(410, (i) => (i < 10 ? 1 : 5)),
      ),
    ).toMatchObject({ side: 'early-refusal' })
  })
})

describe('a quota with a tolerance', () => {
  const window: QuotaWindow = { limit: 100, windowMs: 1000, exact: { over: 0.05, early: 0.05 } }
  const burst = (admitted: number, refused: number) =>
    historyOf([...inRow('admitted', admitted, 0), ...inRow('refused', refused, 400)])

  it.each([
    [105, 20, 'pass'],
    [95, 20, 'pass'],
    [94, 20, 'early-refusal'],
    [211, 1, 'over-admission'],
    [95, 0, 'limit-never-reached'],
  ])('of 5 percent that admits %i of 100 and refuses %i more: %s', (admitted, refused, expected) => {
    expect(toldBy(judgeQuota(burst(admitted, refused), window))).toBe(expected)
  })

  it('is held to one side where only that is promised', () => {
    const atMost = { ...window, exact: { over: 0, early: null } }
    expect(judgeQuota(burst(10, 200), atMost)).toMatchObject({ verdict: 'pass' })
    expect(judgeQuota(burst(201, 1), atMost)).toMatchObject({ side: 'over-admission' })
    const atLeast = { ...window, exact: { over: null, early: 0 } }
    expect(judgeQuota(burst(201, 0), atLeast)).toMatchObject({ verdict: 'pass' })
    expect(judgeQuota(burst(99, 10), atLeast)).toMatchObject({ side: 'early-refusal' })
  })

  const seeds = range(20, (i) => i + 1)
  it.each([
    ['8 % too many', 0.08, 'over-admission'],
    ['8 % too few', -0.08, 'early-refusal'],
    ['4 % too many', 0.04, 'pass'],
    ['4 % too few', -0.04, 'pass'],
  ])('of 5 percent tells what it forbids from what it allows: %s, 20 of 20', (_, share, expected) => {
    const verdicts = seeds.map((seed) => {
      const { history, window: quota } = inexactHistory(share, 0.05, 1, seed)
      return toldBy(judgeQuota(history, quota))
    })
    expect(verdicts).toEqual(seeds.map(() => expected))
  })

  it('names the models that keep both of its sides', () => {
    expect(explainingModels(explainAll(burst(105, 20), window))).toContain('sliding-log')
  })
})
