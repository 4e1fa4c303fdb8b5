import { z } from 'zod'
import { type LedgerRow, ledgerFlags } from '../../evidence/ledger.js'

/** Refusals in a row that show that the day is spent, if each says so or nothing else explains them. */
const enoughRefused = 20

/** Windows of a minute without an admission after which the day refuses, not the minute: that one is over by then. */
const windowsUnserved = 1.1

/** The limits of a key, how long a minute lasts, and the longest wait that a minute's refusal names. */
export const dayLimits = z.strictObject({
  minute: z.int().min(1),
  day: z.int().min(1),
  minuteMs: z.number().positive(),
  longestWaitMs: z.number().positive(),
})
export type DayLimits = z.infer<typeof dayLimits>

/** What has been seen of a key's day so far. */
export const daySeen = z.strictObject({
  admitted: z.int(),
  refused: z.int().min(0),
  refusedInRow: z.int().min(0),
  /** How many of those in a row said that it was the day. */
  ofDayInRow: z.int().min(0),
  /** What the last answer that showed the day said was left of it; null where none did. */
  shownLeft: z.number().nullable(),
  /** How long ago the last one was admitted, in milliseconds; null where that is not known. */
  unservedMs: z.number().nullable(),
})
export type DaySeen = z.infer<typeof daySeen>

/** How far a day has been spent. */
export interface DayWatch {
  saw(row: LedgerRow): void
  admitted(): number
  refused(): number
  /** What the last answer that showed the day said was left of it; Infinity where none did. */
  shownLeft(): number
  /** Whether the day refuses, and not the minute. */
  isSpent(): boolean
  /** What has been seen by a moment on the rows' clock, in milliseconds. */
  seenBy(nowMs: number): DaySeen
}

/** Follows the answers of a key while its day is spent, from where it was left. Its rows are of one clock. */
export const dayWatch = ({ minute, day, minuteMs, longestWaitMs }: DayLimits, before: DaySeen): DayWatch => {
  let { admitted, refused, refusedInRow, ofDayInRow } = before
  let shownLeft = before.shownLeft ?? Number.POSITIVE_INFINITY
  let [servedAt, lastAt] = [Number.NaN, Number.NaN]

  const saysDay = (row: LedgerRow): boolean => {
    const isDate = (row.flags & ledgerFlags.retryAfterIsDate) !== 0
    if (!isDate && row.retryAfter * 1000 > longestWaitMs) return true
    return row.limit === day && day !== minute && row.remaining === 0
  }

  return {
    saw(row) {
      if (Number.isNaN(servedAt)) servedAt = row.sentUs / 1000 - (before.unservedMs ?? 0)
      lastAt = row.receivedUs / 1000
      if (row.status === 429) {
        refused += 1
        refusedInRow += 1
        if (saysDay(row)) ofDayInRow += 1
        return
      }
      if (row.status !== 200) return
      admitted += 1
      ;[refusedInRow, ofDayInRow, servedAt] = [0, 0, lastAt]
      if (row.limit === day && day !== minute) shownLeft = row.remaining
    },
    admitted: () => admitted,
    refused: () => refused,
    shownLeft: () => shownLeft,
    isSpent: () =>
      refusedInRow >= enoughRefused && (ofDayInRow >= enoughRefused || lastAt - servedAt > windowsUnserved * minuteMs),
    seenBy: (nowMs) => ({
      admitted,
      refused,
      refusedInRow,
      ofDayInRow,
      shownLeft: Number.isFinite(shownLeft) ? shownLeft : null,
      unservedMs: Number.isNaN(servedAt) ? before.unservedMs : nowMs - servedAt,
    }),
  }
}
