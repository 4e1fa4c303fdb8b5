import { z } from 'zod'
import { type LedgerRow, ledgerFlags } from '../../evidence/ledger.js'

/**
 * Distinguishes a ban's answers from the limiter's: they have a status other than 200 and 429, or name a later moment than
 * the refusals before them. A limiter that refuses until 60 s says so in every refusal; a ban moves the moment on.
 *
 * @param putOffMs a refusal puts its moment off if it names one more than this later than before.
 */
const changeWatch = (putOffMs: number): ((row: LedgerRow) => boolean) => {
  let promisedMs = Number.NaN
  return ({ status, receivedUs, retryAfter }) => {
    if (status === 200) promisedMs = Number.NaN
    if (status !== 429) return status !== 200
    const namedMs = receivedUs / 1000 + retryAfter * 1000
    if (namedMs > promisedMs + putOffMs) return true
    promisedMs = Number.isNaN(promisedMs) ? namedMs : Math.min(promisedMs, namedMs)
    return false
  }
}

/** Consecutive refusals that show that the day is spent, if each says so or nothing else explains them. */
const enoughRefused = 20

/** Minutes without an admission after which the day refuses, not the minute, which is over by then. */
const windowsUnserved = 1.1

/** The limits of a key, the length of its minute, and the longest wait that a minute's refusal names. */
const dayLimits = z.strictObject({
  minute: z.int().min(1),
  day: z.int().min(1),
  minuteMs: z.number().positive(),
  longestWaitMs: z.number().positive(),
})

const daySeen = z.strictObject({
  admitted: z.int(),
  refused: z.int().min(0),
  refusedInRow: z.int().min(0),
  /** How many of those in a row named the day. */
  ofDayInRow: z.int().min(0),
  /** The day's Remaining in the last answer that showed it; null if none did. */
  shownLeft: z.number().nullable(),
  /** How long ago the last admission was, in milliseconds; null if unknown. */
  unservedMs: z.number().nullable(),
})
export type DaySeen = z.infer<typeof daySeen>

/** Follows the answers of a key while its day is spent, continuing from `before`. Its rows are from one clock. */
export const dayWatch = ({ minute, day, minuteMs, longestWaitMs }: z.infer<typeof dayLimits>, before: DaySeen) => {
  let { admitted, refused, refusedInRow, ofDayInRow } = before
  let shownLeft = before.shownLeft ?? Number.POSITIVE_INFINITY
  let [servedAt, lastAt] = [Number.NaN, Number.NaN]

  const saysDay = (row: LedgerRow): boolean => {
    const isDate = (row.flags & ledgerFlags.retryAfterIsDate) !== 0
    if (!isDate && row.retryAfter * 1000 > longestWaitMs) return true
    return row.limit === day && day !== minute && row.remaining === 0
  }

  return {
    saw(row: LedgerRow) {
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
    /** The day's Remaining in the last answer that showed it; Infinity if none did. */
    shownLeft: () => shownLeft,
    isSpent: () =>
      refusedInRow >= enoughRefused && (ofDayInRow >= enoughRefused || lastAt - servedAt > windowsUnserved * minuteMs),
    /** What has been seen by a moment on the clock of the rows, in milliseconds. */
    seenBy: (nowMs: number) => ({
      admitted,
      refused,
      refusedInRow,
      ofDayInRow,
      shownLeft: Number.isFinite(shownLeft) ? shownLeft : null,
      unservedMs: Number.isNaN(servedAt) ? before.unservedMs : nowMs - servedAt,
    }),
  }
}

const status = z.int().min(100).max(599)

/** When a load ends early, as data: after which answer nothing more is sent. So a load can be passed to another machine. */
export const stopRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), is: z.array(status).min(1) }),
  z.strictObject({ kind: z.literal('other-status'), than: z.array(status).min(1) }),
  /** With an answer that is no longer the limiter's: another status, or a wait put off by this much. */
  z.strictObject({ kind: z.literal('change'), putOffMs: z.number().positive() }),
  /** With the first answer other than 429 after a 429: a token came back. */
  z.strictObject({ kind: z.literal('back') }),
  /** After `times` answers of 200, or with an answer that is neither 200 nor 429. */
  z.strictObject({ kind: z.literal('served'), times: z.int().min(0) }),
  /** When the day refuses; or earlier, if it shows so few left, or after so many more refusals. */
  z.strictObject({
    kind: z.literal('day'),
    limits: dayLimits,
    seen: daySeen,
    downTo: z.int().min(0).optional(),
    refusals: z.int().min(1).optional(),
  }),
])
type StopRule = z.infer<typeof stopRule>

type Stopper = (row: LedgerRow) => boolean

const stoppers: { readonly [Kind in StopRule['kind']]: (rule: Extract<StopRule, { kind: Kind }>) => Stopper } = {
  status: (rule) => (row) => rule.is.includes(row.status),
  'other-status': (rule) => (row) => !rule.than.includes(row.status),
  change: ({ putOffMs }) => changeWatch(putOffMs),
  back() {
    let isRefused = false
    return ({ status }) => {
      isRefused ||= status === 429
      return isRefused && status !== 429
    }
  },
  served({ times: left }) {
    return (row) => {
      if (row.status === 200) left -= 1
      return left <= 0 || (row.status !== 200 && row.status !== 429)
    }
  },
  day({ limits, seen, downTo, refusals }) {
    const watch = dayWatch(limits, seen)
    return (row) => {
      watch.saw(row)
      if (watch.isSpent() || (downTo !== undefined && watch.shownLeft() <= downTo)) return true
      return refusals !== undefined && watch.refused() - seen.refused >= refusals
    }
  },
}

/** The rule in action, with its own memory of what it has seen. */
export const stopperOf = (rule: StopRule): Stopper => stoppers[rule.kind](rule as never)
