import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelName } from '../../contract/limiter-models.js'
import type { Decision } from '../../readings/history.js'
import { explain } from '../models/explain.js'
import { type HistoryEvent, type HistoryOptions, historyOf } from '../testing/made-history.js'
import { trueHistory } from '../testing/scenarios.js'
import { tallyOf } from './tally.js'
import { isExplainedByChain } from './window-chain.js'

const window = { limit: 3, windowMs: 1000 }

/** Requests at the given instants, each answered a millisecond later. */
const at = (outcome: Decision, ...instants: number[]): HistoryEvent[] =>
  instants.map((sentMs) => ({ sentMs, receivedMs: sentMs + 1, outcome }))

const isExplained = (events: HistoryEvent[], onGrid: boolean, options: HistoryOptions = {}) =>
  isExplainedByChain(tallyOf(historyOf(events, options), window), { onGrid })

/** A window from 0, spent late, whose end is seen at 1000: from there on the grid, or a window that a request opens. */
const first = [...at('admitted', 0, 500, 502), ...at('refused', 504, 990)]

describe('windows in a row', () => {
  it.each<[string, HistoryEvent[], boolean, boolean]>([
    ['one by one', first, true, true],
    [
      'on the grid',
      [...first, ...at('admitted', 1500, 1502, 1504), ...at('refused', 1900), ...at('admitted', 2010)],
      true,
      false,
    ],
    [
      'opened by a request',
      [...first, ...at('admitted', 1500, 1502, 1504), ...at('refused', 2100), ...at('admitted', 2510)],
      true,
      true,
    ],
    [
      'that begin anew and go on from there',
      [
        ...first,
        ...at('admitted', 1500, 1502, 1504),
        ...at('refused', 2490),
        ...at('admitted', 3400, 3402, 3404),
        ...at('refused', 3480),
        ...at('admitted', 3510),
      ],
      true,
      false,
    ],
    [
      'that overlap',
      [...first, ...at('admitted', 1500, 1502, 1504), ...at('refused', 1600), ...at('admitted', 1700)],
      false,
      false,
    ],
    ['that hold one too many', [...at('admitted', 0, 500, 502, 504), ...at('refused', 506)], false, false],
    ['that refuse too early', [...at('admitted', 0, 500), ...at('refused', 502)], false, false],
    ['that refuse what came after their end', [...at('admitted', 0, 2, 4), ...at('refused', 1100)], false, false],
    [
      'with a pause',
      [...first, ...at('admitted', 9000, 9002, 9004), ...at('refused', 9990), ...at('admitted', 10010)],
      true,
      true,
    ],
  ])('%s', (_, events, onGrid, byRequests) => {
    expect([isExplained(events, true), isExplained(events, false)]).toEqual([onGrid, byRequests])
  })

  it('are opened by a request that nobody answered too', () => {
    const late = [...at('admitted', 1500, 1502, 1504), ...at('refused', 1506), ...at('admitted', 2210)]
    expect(isExplained([...first, ...late], false)).toBe(false)
    expect(isExplained([...first, { sentMs: 1200, outcome: 'unknown' }, ...late], false)).toBe(true)
  })
})

describe('a window that was open before the run', () => {
  const used = { priorUntilMs: 0 }

  it.each<[string, HistoryEvent[], boolean]>([
    ['and the next one hold twice the limit', at('admitted', 0, 2, 4, 6, 8, 10), true],
    ['and the next one hold no more', at('admitted', 0, 2, 4, 6, 8, 10, 12), false],
    ['may be spent by then', [...at('refused', 0, 500), ...at('admitted', 700, 702, 704), ...at('refused', 706)], true],
    [
      'excuses no second early refusal',
      [...at('refused', 0), ...at('admitted', 700, 702), ...at('refused', 704)],
      false,
    ],
    [
      'admits nothing once it has refused',
      [...at('refused', 0), ...at('admitted', 2, 4, 6), ...at('refused', 8)],
      true,
    ],
    [
      'admits nothing between two refusals',
      [...at('admitted', 0), ...at('refused', 2), ...at('admitted', 4), ...at('refused', 6)],
      false,
    ],
    ['is over a window later', [...at('refused', 0, 1010)], false],
  ])('%s', (_, events, expected) => {
    expect([isExplained(events, true, used), isExplained(events, false, used)]).toEqual([expected, expected])
  })
})

const ways: readonly [ModelName, boolean][] = [
  ['fixed-window', true],
  ['interval-refill', true],
  ['interval-refill-idle', true],
  ['fixed-window-first-request', true],
  ['fixed-window-first-request', false],
]

describe('a true history', () => {
  it.each(ways)('of a %s is one of windows in a row (on a grid: %s)', (model, onGrid) => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, usedBefore) => {
        // What began on a grid before an unused key's first request did not begin with it.
        const isAnchored = model === 'fixed-window' || usedBefore
        const { history, window: kept } = trueHistory(model, seed, { mostLimit: 60, usedBefore: isAnchored })
        expect(isExplainedByChain(tallyOf(history, kept), { onGrid })).toBe(true)
      }),
      { numRuns: 250 },
    )
  })
})

describe('interval refill that may be forgotten', () => {
  it('explains what neither a grid nor windows from the first request do', () => {
    const later = [
      ...at('admitted', 1500, 1502, 1504),
      ...at('refused', 2490),
      ...at('admitted', 3400, 3402, 3404),
      ...at('refused', 3480),
      ...at('admitted', 3510),
    ]
    const history = historyOf([...first, ...later])
    const verdict = (model: ModelName) => explain(model, history, window).verdict
    expect(verdict('interval-refill')).toBe('refuted')
    expect(verdict('fixed-window-first-request')).toBe('refuted')
    expect(verdict('interval-refill-idle')).toBe('explained')
  })
})
