import { type Exchange, headerValues, isAnswered } from '../evidence/exchange.js'
import { parseHttpDate } from '../kit/http-date.js'

/** The target's wall clock against the run's: `epochMs = runMs + offset`, the offset known to lie in an interval. */
export interface TargetClock {
  readonly from: number
  readonly to: number
  /** Whether the target told it by `Date`; else it is assumed to be right within five minutes. */
  readonly told: boolean
  /** By how much its own words contradict each other: a clock that was set meanwhile, or several. Absent where they agree. */
  readonly contradictionMs?: number
}

/** A `Date` header is cut off to a second, and servers renew it by a timer that may come late. */
const dateStandsForMs = 1_100

/** How far a clock that nothing tells may be off. */
const assumedErrorMs = 300_000

/** Learns the target's clock from every `Date` header: each one bounds it, and the bounds are laid over each other. */
export const targetClock = (exchanges: readonly Exchange[], wallStartMs: number): TargetClock => {
  let from = Number.NEGATIVE_INFINITY
  let to = Number.POSITIVE_INFINITY
  for (const x of exchanges) {
    if (!isAnswered(x)) continue
    const dates = headerValues(x.response.headers, 'Date')
    const epochMs = dates.length === 1 ? parseHttpDate(dates[0]) : undefined
    if (epochMs === undefined) continue
    from = Math.max(from, epochMs - x.receivedAt)
    to = Math.min(to, epochMs + dateStandsForMs - x.sentAt)
  }
  if (from === Number.NEGATIVE_INFINITY) {
    return { from: wallStartMs - assumedErrorMs, to: wallStartMs + assumedErrorMs, told: false }
  }
  return from <= to ? { from, to, told: true } : { from: to, to: from, told: true, contradictionMs: from - to }
}
