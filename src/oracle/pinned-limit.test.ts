import { describe, expect, it } from 'vitest'
import { type HistoryEvent, historyOf } from '../readings/history.js'
import { pinsLimit } from './judged-days.js'

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

describe('a limit and no other', () => {
  it('is told by two bursts of which no grid splits both', () => {
    const events = [...burst(100_000, 300, 49), ...asked(112_000, 130_000), single(160_200), single(215_000)]
    expect(pinsLimit(historyOf([...events, ...burst(250_000, 15_000, 49)]), window)).toBe(true)
  })

  it.each([
    ['one burst, right after whose opener a grid may have begun anew', burst(100_000, 300, 49)],
    [
      'two bursts that are in step',
      [...burst(100_000, 300, 49), ...asked(112_000, 130_000), single(160_200), ...burst(220_400, 300, 49)],
    ],
    ['requests that never reached the limit', [single(0), single(70_000)]],
    [
      'one too many, where a grid that began anew after the opener would have admitted as many',
      [...burst(100_000, 300, 50), ...asked(112_000, 130_000)],
    ],
  ])('is not told by %s', (_, events) => {
    expect(pinsLimit(historyOf(events), window)).toBe(false)
  })

  it('may be one', () => {
    const events = [...burst(100_000, 300, 0), ...asked(130_000), single(160_200), ...asked(175_000, 205_000)]
    expect(pinsLimit(historyOf(events), { limit: 1, windowMs: 60_000 })).toBe(true)
  })
})
