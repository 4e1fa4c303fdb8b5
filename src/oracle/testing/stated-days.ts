import type { QuotaWindow } from '../../contract/plans.js'
import type { MadeRow } from '../../evidence/testing/made-ledger.js'

/** The target's epoch at the start of the run, in seconds; its clock is known to half a second. */
export const epoch = 1_000_000
export const clock = { from: epoch * 1000, to: epoch * 1000 + 500, told: true }
/** A plan's window, together with a daily limit of ten. */
export const besideDay: QuotaWindow = { limit: 60, windowMs: 6_000, longer: { limit: 10, windowMs: 8_640_000 } }

/** `count` answers that show the day, from `fromMs` on, a second apart; each names an end `endsIn` seconds after the start. */
export const rows = (
  count: number,
  fromMs: number,
  endsIn: number | ((i: number) => number),
  part: Partial<MadeRow> = {},
) =>
  Array.from({ length: count }, (_, i) => ({
    sentMs: fromMs + i * 1_000,
    limit: 10,
    remaining: 0,
    reset: epoch + (typeof endsIn === 'number' ? endsIn : endsIn(i)),
    ...part,
  }))

/** Refusals by the day, each with the wait until its end. */
export const refusals = (count: number, fromMs: number, endsIn: number): MadeRow[] =>
  rows(count, fromMs, endsIn, { status: 429 }).map((row) => ({
    ...row,
    retryAfter: Math.ceil(endsIn - row.sentMs / 1000),
  }))
