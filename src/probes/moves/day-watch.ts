import type { Quota } from '../../contract/plans.js'
import { type LedgerRow, ledgerFlags } from '../../evidence/ledger.js'

/** Refusals in a row that show that the day is spent. */
const enoughRefused = 20

/** A wait names whole seconds, and rounding it up may add one; a second more is allowed. */
const waitSlackMs = 2_000

/** Without an admission for so many windows of a minute, it is not the minute that refuses. */
const minutesUnserved = 1.1

/** What a day's spending has come to. */
export interface DayWatch {
  saw(row: LedgerRow): void
  admitted(): number
  refused(): number
  /** What the answers last showed to be left of the day; Infinity where they have not shown it. */
  shownLeft(): number
  /** Whether so many were refused in a row that it is the day that refuses, and not the minute. */
  isSpent(): boolean
}

/** Follows the answers of a key whose day is spent, from what an earlier part of the run had come to. */
export const dayWatch = (
  { minute, day }: Quota,
  minuteMs: number,
  before: { readonly sent: number; readonly refused: number; readonly refusedInRow: number },
): DayWatch => {
  let admitted = before.sent - before.refused
  let refused = before.refused
  let [inRow, daysInRow] = [before.refusedInRow, before.refusedInRow]
  let shownLeft = Number.POSITIVE_INFINITY
  let [servedAt, lastAt] = [Number.NaN, Number.NaN]

  const saysDay = (row: LedgerRow): boolean => {
    const isDate = (row.flags & ledgerFlags.retryAfterIsDate) !== 0
    if (!isDate && row.retryAfter * 1000 > minuteMs + waitSlackMs) return true
    return row.limit === day && day !== minute && row.remaining === 0
  }

  return {
    saw(row) {
      if (Number.isNaN(servedAt)) servedAt = row.sentUs / 1000
      lastAt = row.receivedUs / 1000
      if (row.status === 429) {
        refused += 1
        inRow += 1
        if (saysDay(row)) daysInRow += 1
        return
      }
      if (row.status !== 200) return
      admitted += 1
      ;[inRow, daysInRow, servedAt] = [0, 0, lastAt]
      if (row.limit === day && day !== minute) shownLeft = row.remaining
    },
    admitted: () => admitted,
    refused: () => refused,
    shownLeft: () => shownLeft,
    isSpent: () =>
      inRow >= enoughRefused && (daysInRow >= enoughRefused || lastAt - servedAt > minutesUnserved * minuteMs),
  }
}
