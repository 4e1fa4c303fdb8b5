import { describe, expect, it } from 'vitest'
import { type ModelName, modelNames } from '../../contract/limiter-models.js'
import type { Decision } from '../../readings/history.js'
import { type HistoryEvent, type HistoryOptions, historyOf } from '../testing/made-history.js'
import { trueHistory } from '../testing/scenarios.js'
import {
  explain,
  explainAll,
  explainingModels,
  explaining as explainingSoon,
  fits,
  modelsThatExplain,
} from './explain.js'

const window = { limit: 3, windowMs: 1000 }

/** Requests at the given instants, each answered a millisecond later. */
const at = (outcome: Decision, ...instants: number[]): HistoryEvent[] =>
  instants.map((sentMs) => ({ sentMs, receivedMs: sentMs + 1, outcome }))

const explaining = (events: HistoryEvent[], options: HistoryOptions = {}) =>
  explainingModels(explainAll(historyOf(events, options), window))

const cases: readonly [string, HistoryEvent[], readonly ModelName[]][] = [
  ['a refusal of the third is too early for every model', [...at('admitted', 0, 2), ...at('refused', 4)], []],
  [
    'one admitted a third of a window after a burst came from a bucket or over a boundary, not from a log',
    [...at('admitted', 0, 2, 4), ...at('refused', 6), ...at('admitted', 360), ...at('refused', 365)],
    ['fixed-window', 'interval-refill', 'interval-refill-idle', 'sliding-counter', 'token-bucket', 'gcra'],
  ],
  [
    'a whole burst just a window after the first request came from a window, not from a log',
    [...at('admitted', 0, 900, 902), ...at('refused', 904), ...at('admitted', 1010, 1012, 1014)],
    ['fixed-window', 'fixed-window-first-request', 'interval-refill', 'interval-refill-idle'],
  ],
]

describe('what each model explains', () => {
  it.each(cases)('%s', (_, events, models) => {
    expect(explaining(events)).toEqual(models)
  })

  it('is not told apart by a burst alone', () => {
    expect(explaining([...at('admitted', 0, 2, 4), ...at('refused', 6, 8)])).toHaveLength(8)
  })

  it('is bounded by twice the limit where a boundary may lie inside a burst', () => {
    expect(explaining(at('admitted', 0, 2, 4, 6))).toContain('interval-refill')
    expect(explaining(at('admitted', 0, 2, 4, 6, 8, 10, 12))).toEqual([])
  })

  it('is no sliding counter where five of three were under way at once, though its window may begin among them', () => {
    const underWay = [0, 1, 2, 3, 4].map((sentMs): HistoryEvent => ({ sentMs, receivedMs: 10, outcome: 'admitted' }))
    const afterSilence = underWay.map((each) => ({ ...each, sentMs: each.sentMs + 3000, receivedMs: 3010 }))
    expect(explaining(underWay)).toEqual(['fixed-window', 'interval-refill', 'interval-refill-idle'])
    expect(explaining([...underWay, ...afterSilence])).not.toContain('sliding-counter')
  })

  it('is no sliding counter where one too many come behind the first request after each silence', () => {
    const oneTooMany = (sinceMs: number) => [
      ...at('admitted', sinceMs, sinceMs + 20, sinceMs + 22, sinceMs + 24),
      ...at('refused', sinceMs + 26),
    ]
    expect(explaining(oneTooMany(0))).toContain('sliding-counter')
    expect(explaining([...oneTooMany(0), ...oneTooMany(2400)])).toEqual([])
    // The edge may lie in both where they are two windows apart, and where somebody else begins the grid in the silence.
    expect(explaining([...oneTooMany(0), ...oneTooMany(2000)])).toContain('sliding-counter')
    const shared = historyOf([...oneTooMany(0), ...oneTooMany(2400)])
    expect(explain('sliding-counter', { ...shared, isShared: true }, window).verdict).toBe('explained')
  })
})

describe('what is unknown', () => {
  it('may have spent the quota, so a refusal after it is not early', () => {
    const lost: HistoryEvent[] = [{ sentMs: 3, outcome: 'unknown' }]
    expect(explaining([...at('admitted', 0, 2), ...lost, ...at('refused', 6)])).toContain('sliding-log')
    expect(explaining([...at('admitted', 0, 2), ...lost])).toHaveLength(8)
  })

  it('about earlier use of the key is as much for one limit, whatever limit was asked about before', () => {
    const history = historyOf([...at('admitted', 0), ...at('refused', 4)], { priorUntilMs: 0 })
    explain('sliding-log', history, { ...window, limit: 0 })
    expect(explain('sliding-log', history, window).verdict).toBe('explained')
  })

  it('about earlier use of the key excuses refusals for as long as it may matter, and no longer', () => {
    expect(explaining(at('refused', 100), { priorUntilMs: 50 })).toHaveLength(8)
    expect(explaining(at('refused', 2500), { priorUntilMs: 50 })).toEqual([])
  })

  // A day of 8,640 s with 1,000, spent in bursts of 60; its intervals are widened by what clocks may drift in a day.
  it.each([
    [2_000, true],
    [2_021, false],
    [2_500, false],
  ])(
    'about earlier use of the key excuses no more than twice the limit within a window (%i admitted)',
    (count, excused) => {
      const events = Array.from({ length: count }, (_, i) => {
        const sentMs = 6_000 * Math.floor(i / 60) + (i % 60)
        return { sentMs, receivedMs: sentMs + 2, outcome: 'admitted' } as const
      })
      const day = { limit: 1_000, windowMs: 8_640_000 }
      const explanations = explainAll(historyOf(events, { clockErrorMs: 865, priorUntilMs: 0 }), day)
      expect(explainingModels(explanations).length > 0).toBe(excused)
    },
  )

  // Windows would have to end twice; a bucket was not full when it refused; a log forgets what is as old as it likes.
  it('about earlier use of the key is one story for what was refused and what was admitted after it', () => {
    const events = [...at('admitted', 0), ...at('refused', 2), ...at('admitted', 4, 5), ...at('refused', 7)]
    expect(explaining(events, { priorUntilMs: 0 })).toEqual(['sliding-log', 'sliding-counter'])
  })

  it('never counts where a refusal is excused', () => {
    expect(explaining([...at('admitted', 0), ...at('excused', 2, 4)])).toHaveLength(8)
  })
})

describe('the clock of the target', () => {
  const acrossBoundary = [...at('admitted', 990, 992, 994), ...at('admitted', 1005, 1007, 1009), ...at('refused', 1011)]

  it('refutes a clock-aligned window whose boundary it puts elsewhere', () => {
    const aligned = (from: number, to: number) =>
      explain('fixed-window', historyOf(acrossBoundary, { targetEpochOffsetMs: { from, to } }), window).verdict
    expect(aligned(7_000_000, 7_000_000)).toBe('explained')
    expect(aligned(7_000_400, 7_000_450)).toBe('refuted')
    expect(aligned(7_000_400, 7_001_001)).toBe('explained')
  })
})

describe('a refutation', () => {
  it('counts what has to be explained away, and names exchanges that show it', () => {
    const early = explain('sliding-log', historyOf([...at('admitted', 0, 2), ...at('refused', 4, 6, 8)]), window)
    expect(early).toEqual({
      verdict: 'refuted',
      reason: 'early-refusal',
      witnesses: [2],
      overAdmitted: 0,
      earlyRefused: 1,
    })
    const over = explain('sliding-log', historyOf(at('admitted', 0, 2, 4, 6, 8)), window)
    expect(over).toMatchObject({ reason: 'over-admission', overAdmitted: 2, earlyRefused: 0 })
  })
})

describe('whether models explain a history, without what refutes them', () => {
  it.each(modelNames)('is told sooner, and the same, of what a %s did', (model) => {
    for (let seed = 1; seed <= 8; seed += 1) {
      const { history, window } = trueHistory(model, seed, { mostLimit: 60 })
      const { limit, windowMs } = window
      const others = [limit - 1, limit + 1].map((each) => ({ limit: each, windowMs }))
      for (const quota of [
        window,
        ...others,
        { limit, windowMs: 0.95 * windowMs },
        { limit, windowMs: 1.2 * windowMs },
      ]) {
        const found = explainingModels(explainAll(history, quota))
        expect([...explainingSoon(modelNames, history, quota)]).toEqual(found)
        expect(modelsThatExplain(history, quota)).toEqual(found)
        expect(fits(history, quota)).toBe(found.length > 0)
        for (const only of modelNames) expect(fits(history, { ...quota, models: [only] })).toBe(found.includes(only))
        const tolerant = { ...quota, exact: { over: 0.05, early: 0.1 } }
        expect(modelsThatExplain(history, tolerant)).toEqual(explainingModels(explainAll(history, tolerant)))
      }
    }
  })
})
