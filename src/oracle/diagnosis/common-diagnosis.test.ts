import { describe, expect, it } from 'vitest'
import type { Decision } from '../../readings/history.js'
import type { SimulatedDefect } from '../testing/defects.js'
import { firstDiagnosis } from '../testing/first-diagnosis.js'
import { type HistoryEvent, historyOf } from '../testing/made-history.js'
import { defectiveHistory } from '../testing/scenarios.js'
import { diagnoseAll } from './common-diagnosis.js'

type Undiagnosed = Parameters<typeof diagnoseAll>[0][number]

const played = (defect: SimulatedDefect, seed: number): Undiagnosed => ({
  ...defectiveHistory(defect, 1, seed),
  context: {},
})

const window = { limit: 60, windowMs: 6_000 }

const requests = (outcome: Decision, count: number, sentMs: number): HistoryEvent[] =>
  Array.from({ length: count }, (_, i) => ({ sentMs: sentMs + i / 10, receivedMs: sentMs + 30 + i / 10, outcome }))

const oneBurst = (admitted: number): Undiagnosed => {
  const events = [...requests('admitted', admitted, 1_000), ...requests('refused', 90 - admitted, 1_000)]
  return { history: historyOf(events), window, context: {} }
}

/** Two bursts, half a window out of step, of which nothing is given back for 4 s, and nearly all after so many ms. */
const givenBackAfter = (ms: number): Undiagnosed => {
  const events = [1_000, 28_000].flatMap((at) => [
    ...requests('admitted', 60, at),
    ...requests('refused', 30, at + 50),
    ...requests('refused', 1, at + 4_000),
    ...requests('admitted', 55, at + ms),
  ])
  return { history: historyOf(events), window, context: {} }
}

const own = ({ history, window, context }: Undiagnosed) => firstDiagnosis(history, window, context)?.id
const named = (keys: readonly Undiagnosed[]) => diagnoseAll(keys).map((each) => each?.id)

describe('the diagnosis of several plans', () => {
  it('is the one defect that explains them all, though it may not come first where little was sent', () => {
    const keys = [oneBurst(61), played('check-apart-from-count', 1002)]
    expect(keys.map(own)).toEqual(['first-request-free', 'check-apart-from-count'])
    expect(named(keys)).toEqual(['check-apart-from-count', 'check-apart-from-count'])
  })

  it('names one length of the window, the farthest from what was said, where it fits every plan', () => {
    const lengths = diagnoseAll([givenBackAfter(5_800), givenBackAfter(5_000)]).map((each) =>
      Number(each?.facts.windowMs),
    )
    expect(lengths[0]).toBe(lengths[1])
    expect(lengths[0]).toBeGreaterThan(4_000)
    expect(lengths[0]).toBeLessThan(5_050)
  })

  it('is a limit of one more also where others had used the first window, which so refused at the limit', () => {
    const events = [1_000, 20_000, 29_500].flatMap((at, i) => [
      ...requests('admitted', i === 0 ? 60 : 61, at),
      ...requests('refused', 30, at + 10),
    ])
    const history = { ...historyOf(events), priorUntilMs: 1_000 }
    expect(named([{ history, window, context: {} }])).toEqual(['limit-higher-by-one'])
  })

  it('is each plan’s own where no one defect explains them all', () => {
    const keys = [played('quota-never-returns', 1002), played('limit-higher-by-one', 1002)]
    expect(named(keys)).toEqual(['quota-never-returns', 'limit-higher-by-one'])
  })
})
