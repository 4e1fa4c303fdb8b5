import { describe, expect, it } from 'vitest'
import { type HistoryEvent, historyOf } from './history.js'
import { tellsOneMore } from './one-more.js'

const window = { limit: 50, windowMs: 60_000 }

const single = (sentMs: number, outcome: HistoryEvent['outcome'] = 'admitted'): HistoryEvent => ({
  sentMs,
  receivedMs: sentMs + 2,
  outcome,
})

/** A window that one request opens, and so many at once some time later, of which the last three are refused. */
const burst = (openedMs: number, afterMs: number, admitted: number): HistoryEvent[] => [
  single(openedMs),
  ...Array.from({ length: admitted + 3 }, (_, i) =>
    single(openedMs + afterMs + i, i < admitted ? 'admitted' : 'refused'),
  ),
]

const asked = (...moments: readonly number[]) => moments.map((each) => single(each, 'refused'))

describe('whether one admission too many would have shown', () => {
  it('is told by two bursts of which no grid splits both', () => {
    const events = [...burst(100_000, 300, 49), ...asked(112_000, 130_000), single(160_200), single(215_000)]
    expect(tellsOneMore(historyOf([...events, ...burst(250_000, 15_000, 49)]), window)).toBe(true)
  })

  it.each([
    ['one burst, right after whose opener a grid may have begun anew', burst(100_000, 300, 49)],
    [
      'two bursts that are in step',
      [...burst(100_000, 300, 49), ...asked(112_000, 130_000), single(160_200), ...burst(220_400, 300, 49)],
    ],
    ['requests that never reached the limit', [single(0), single(70_000)]],
  ])('is not told by %s', (_, events) => {
    expect(tellsOneMore(historyOf(events), window)).toBe(false)
  })

  it('is no question of a limit of one', () => {
    expect(tellsOneMore(historyOf([single(0)]), { limit: 1, windowMs: 60_000 })).toBe(true)
  })
})
