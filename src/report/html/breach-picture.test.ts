import { describe, expect, it } from 'vitest'
import type { Breach, QuotaRow } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { healthyExchange } from '../testing/passing-report.js'
import { breachChart, burstLineOf, countedAnswer } from './breach-picture.js'

const [quota] = failingReport.quotas.filter(({ breach }) => breach !== undefined) as [QuotaRow & { breach: Breach }]

/** One request opens the window, and half a second later 61 are admitted within 60 ms where 60 are allowed. */
const opened: QuotaRow & { breach: Breach } = {
  ...quota,
  limit: 60,
  sent: 90,
  admitted: 61,
  refused: 29,
  unknown: 0,
  breach: {
    kind: 'over-admission',
    fromMs: 9_000,
    toMs: 9_561,
    admitted: 61,
    refused: 0,
    isBurst: true,
    answers: Array.from({ length: 61 }, (_, at): Breach['answers'][number] => [
      at === 0 ? 9_001 : 9_500 + at,
      'admitted',
      at + 1,
    ]),
    shownBy: [
      { id: 'burst-free#58', receivedMs: 9_559, outcome: 'admitted', admitted: 60 },
      { id: 'burst-free#59', receivedMs: 9_560, outcome: 'admitted', admitted: 61 },
    ],
  },
}

describe('the picture of a broken limit', () => {
  it('begins just before the steps rise, in seconds of the run, and says what came earlier', () => {
    const chart = breachChart(failingReport, opened)
    expect(chart?.x[0]).toBeCloseTo(9.496, 2)
    expect(chart?.x.at(-1)).toBe(9.56)
    expect(chart?.series[0]?.values[0]).toBe(1)
    expect(chart?.how).toContain('One request was admitted before the picture begins')
  })

  it('leaves out no pause behind which much was admitted', () => {
    const { breach } = opened
    const answers = breach.answers.map(([at, outcome, admitted]): Breach['answers'][number] => [
      admitted <= 30 ? 9_001 + admitted : at,
      outcome,
      admitted,
    ])
    expect(breachChart(failingReport, { ...opened, breach: { ...breach, answers } })?.x[0]).toBe(9)
  })

  it('shows a stretch without a long pause from its beginning', () => {
    const { breach } = opened
    const answers = breach.answers.map(([, outcome, admitted]): Breach['answers'][number] => [
      9_000 + admitted * 9,
      outcome,
      admitted,
    ])
    expect(breachChart(failingReport, { ...opened, breach: { ...breach, answers } })?.x[0]).toBe(9)
  })

  it('labels the answer that crosses the limit', () => {
    expect(breachChart(failingReport, opened)?.label).toEqual({ x: 9.56, y: 61, text: '61st: admitted' })
  })

  it('counts the answers on both sides of the limit', () => {
    const told = (opened.breach.shownBy ?? []).map((each) => countedAnswer(failingReport, opened, each, undefined))
    expect(told).toEqual([
      'At 9.559 s of the run (10:00:09.559 UTC): 60th admitted since 10:00:09.000; the limit is 60.',
      'At 9.560 s of the run (10:00:09.560 UTC): 61st admitted since 10:00:09.000; the limit is 60.',
    ])
  })

  it('says what an answer itself says is left', () => {
    const [each] = opened.breach.shownBy ?? []
    if (each === undefined || healthyExchange.response === null) throw new Error('no answer')
    const headers: [string, string][] = [['X-RateLimit-Remaining', '1']]
    const x = { ...healthyExchange, response: { ...healthyExchange.response, headers } }
    expect(countedAnswer(failingReport, opened, each, x)).toMatch(
      /the limit is 60\. It says X-RateLimit-Remaining: 1, which makes 61 in total\.$/,
    )
  })

  it('adds nothing to what is left where that is as agreed', () => {
    const [, last] = opened.breach.shownBy ?? []
    if (last === undefined || healthyExchange.response === null) throw new Error('no answer')
    const headers: [string, string][] = [['X-RateLimit-Remaining', '0']]
    const x = { ...healthyExchange, response: { ...healthyExchange.response, headers } }
    expect(countedAnswer(failingReport, opened, last, x)).toMatch(/It says X-RateLimit-Remaining: 0\.$/)
  })

  it('says that an answer shows a longer quota than the broken one', () => {
    const [each] = opened.breach.shownBy ?? []
    if (each === undefined || healthyExchange.response === null) throw new Error('no answer')
    const headers: [string, string][] = [
      ['X-RateLimit-Limit', '1000'],
      ['X-RateLimit-Remaining', '714'],
    ]
    const x = { ...healthyExchange, response: { ...healthyExchange.response, headers } }
    expect(countedAnswer(failingReport, opened, each, x)).toMatch(
      / It shows a longer quota of the key: 714 of 1,000 left\.$/,
    )
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [11, '11th'],
    [112, '112th'],
    [1_001, '1,001st'],
  ])('names the place of %i', (admitted, place) => {
    const each = { id: 'x1', receivedMs: 9_000, outcome: 'admitted' as const, admitted }
    expect(countedAnswer(failingReport, opened, each, undefined)).toContain(`: ${place} admitted`)
  })

  it('stands beside the counts of its burst, and of no other stretch', () => {
    expect(burstLineOf(opened)).toMatchObject({ markup: expect.stringContaining('90 sent, 61 admitted, 29 refused.') })
    expect(burstLineOf({ ...opened, breach: { ...opened.breach, isBurst: false } })).toBe(false)
  })
})
