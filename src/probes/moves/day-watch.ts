import type { Quota } from '../../contract/plans.js'
import { waitSlackMs } from '../../contract/whole-seconds.js'
import { type LedgerRow, ledgerFlags } from '../../evidence/ledger.js'

/** Refusals in a row that show that the day is spent, if each says so or nothing else explains them. */
const enoughRefused = 20

/** Windows of a minute without an admission after which the day refuses, not the minute: that one is over by then. */
const windowsUnserved = 1.1

/** How far a day has been spent. */
export interface DayWatch {
  saw(row: LedgerRow): void
  admitted(): number
  refused(): number
  /** What the last answer that showed the day said was left of it; Infinity where none did. */
  shownLeft(): number
  /** Whether the day refuses, and not the minute. */
  isSpent(): boolean
}

/** Follows the answers of a key while its day is spent, from where an earlier part of the run left it. */
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
      inRow >= enoughRefused && (daysInRow >= enoughRefused || lastAt - servedAt > windowsUnserved * minuteMs),
  }
}
