import { type EvidencePart, madeEvidence, wallStartMs } from '../../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../../evidence/testing/made-ledger.js'

/** The wall clock at the start of every made run, in seconds. */
export const startSeconds = wallStartMs / 1000
/** The three headers, with a Reset at the end of the first minute. */
export const rate = (limit: unknown, remaining: unknown, reset: unknown = startSeconds + 60) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'x-ratelimit-reset': String(reset),
})
/** An answer with one of 60 spent. */
export const whole: ExchangePart = { headers: rate(60, 59) }
/** The same without one of the headers. */
export const lacking = (name: string): ExchangePart => ({
  headers: Object.fromEntries(Object.entries(rate(60, 59)).filter(([each]) => each !== name)),
})
/** A load with those rows, beside single exchanges. */
export const load = (rows: readonly MadeRow[], exchanges: readonly ExchangePart[] = [], part: EvidencePart = {}) =>
  madeEvidence(exchanges, { ledgers: [madeLedger(rows)], ...part })
/** The columns of a row of a load. */
export const full = { limit: 60, remaining: 5, reset: startSeconds + 60 }
