import { describe, expect, it } from 'vitest'
import { type LedgerRow, ledgerFlags } from '../../evidence/ledger.js'
import { type DaySeen, dayWatch } from './stop-rule.js'

type DayLimits = Parameters<typeof dayWatch>[0]

const limits: DayLimits = { minute: 60, day: 1_000, minuteMs: 60_000, longestWaitMs: 62_000 }
const nothing: DaySeen = {
  admitted: 0,
  refused: 0,
  refusedInRow: 0,
  ofDayInRow: 0,
  shownLeft: null,
  unservedMs: null,
}

const row = (ms: number, status: number, part: Partial<LedgerRow> = {}): LedgerRow => ({
  index: 0,
  plannedUs: Number.NaN,
  sentUs: ms * 1_000,
  receivedUs: (ms + 2) * 1_000,
  limit: Number.NaN,
  remaining: Number.NaN,
  reset: Number.NaN,
  retryAfter: Number.NaN,
  status,
  connection: 0,
  flags: 0,
  ...part,
})

const watched = (rows: readonly LedgerRow[], before = nothing) => {
  const watch = dayWatch(limits, before)
  for (const each of rows) watch.saw(each)
  return watch
}

const refusals = (count: number, apartMs: number, part: Partial<LedgerRow> = {}) =>
  Array.from({ length: count }, (_, i) => row(1_000 + i * apartMs, 429, part))

describe('a day is spent', () => {
  it.each([
    ['twenty in a row were told to wait for longer than a minute', refusals(20, 10, { retryAfter: 3_600 })],
    ['twenty in a row say that nothing is left of the day', refusals(20, 10, { limit: 1_000, remaining: 0 })],
    ['nothing says so, and nothing was admitted for more than a minute', refusals(68, 1_000)],
  ])('where %s', (_, rows) => {
    expect(watched([row(0, 200), ...rows]).isSpent()).toBe(true)
  })

  it('where the part of the run that stopped had seen it', () => {
    expect(watched([], { ...nothing, admitted: 1_010, refused: 30, refusedInRow: 20, ofDayInRow: 20 }).isSpent()).toBe(
      true,
    )
  })

  it.each([
    ['the minute refuses, for as long as it lasts', refusals(50, 1_000, { retryAfter: 30, limit: 60, remaining: 0 })],
    ['nineteen were refused', refusals(19, 10, { retryAfter: 3_600 })],
    [
      'one in between was admitted',
      [...refusals(15, 10, { retryAfter: 3_600 }), row(1_500, 200), ...refusals(15, 10, { retryAfter: 3_600 })],
    ],
    [
      'a wait is a date, which says no length by itself',
      refusals(20, 10, { retryAfter: 1_800_000_000, flags: ledgerFlags.retryAfterIsDate }),
    ],
  ])('not where %s', (_, rows) => {
    expect(watched([row(0, 200), ...rows]).isSpent()).toBe(false)
  })
})

it('counts what was admitted and refused, with what went before, and knows what was shown of the day', () => {
  const watch = watched(
    [row(0, 200, { limit: 60, remaining: 3 }), row(1, 200, { limit: 1_000, remaining: 41 }), row(2, 429), row(3, 500)],
    { ...nothing, admitted: 6, refused: 4 },
  )
  expect([watch.admitted(), watch.refused(), watch.shownLeft()]).toEqual([8, 5, 41])
  expect(watched([]).shownLeft()).toBe(Number.POSITIVE_INFINITY)
})

it('goes on from what another watch had seen, on another clock', () => {
  const first = watched([row(0, 200), ...refusals(19, 1_000)])
  const seen = first.seenBy(70_000)
  expect(seen).toMatchObject({ admitted: 1, refused: 19, refusedInRow: 19, unservedMs: 69_998 })
  const next = watched([row(5_000_000, 429)], seen)
  expect([first.isSpent(), next.isSpent(), next.refused()]).toEqual([false, true, 20])
  expect(watched([], seen).seenBy(0)).toEqual(seen)
})
