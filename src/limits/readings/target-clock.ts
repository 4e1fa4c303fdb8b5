import { type Exchange, headerValues, isAnswered } from '../../evidence/exchange.js'
import { parseHttpDate } from '../../kit/http-date.js'

interface Interval {
  readonly from: number
  readonly to: number
}

/** The target's wall clock against the run's: `epochMs = runMs + offset`, the offset certain to lie in an interval. */
export interface TargetClock extends Interval {
  /** Whether the target told it by `Date`; else it is the client's own, and the target's may be off from it. */
  readonly told: boolean
  /**
   * Where it lies unless a machine keeps no time: what is found wrong by this one only is no breach, and what is found
   * right by the certain interval only tells nothing. Absent where the certain interval is as narrow.
   */
  readonly likely?: Interval
  /** What the Dates say, where they are no clock: a moment that is right by them is nobody's lie. */
  readonly said?: Interval
  /** By how much its own words contradict each other: a clock that was set meanwhile, or several. Absent where they agree. */
  readonly contradictionMs?: number
}

/** A `Date` header is cut off to a second, and servers renew it by a timer that may come late. */
const dateStandsForMs = 1_100

/** How far two machines may be off from each other that nobody set by hand: more is a time zone, or a mistake. */
const assumedErrorMs = 300_000

/** How far two machines are off that keep time by NTP, as those do that run services and tests. */
const likelyErrorMs = 2_000

/** Nodes whose clocks differ by so much are several clocks all the same; beyond it there is none to speak of. */
const mostContradictionMs = 5_000

/** A Date that lies further from the client's clock is made up, or stands still. */
const mostDistanceMs = 86_400_000

/** Between which moments each answer's `Date` puts the offset. */
const datesOf = (exchanges: readonly Exchange[]): Interval[] =>
  exchanges.filter(isAnswered).flatMap((x) => {
    const dates = headerValues(x.response.headers, 'Date')
    const epochMs = dates.length === 1 ? parseHttpDate(dates[0]) : undefined
    return epochMs === undefined ? [] : [{ from: epochMs - x.receivedAt, to: epochMs + dateStandsForMs - x.sentAt }]
  })

/** The client's own clock, which the target's is held to be near to. */
const clientsClock = (wallStartMs: number): TargetClock => {
  const within = (errorMs: number) => ({ from: wallStartMs - errorMs, to: wallStartMs + errorMs })
  return { ...within(assumedErrorMs), told: false, likely: within(likelyErrorMs) }
}

/**
 * Learns the target's clock from every `Date` header: each one bounds it, and the bounds are laid over each other. The
 * interface says nothing of Date: where there is none, or one that jumps or lies far from the client's clock, it is no
 * clock, and the client's own is taken.
 *
 * @param wallStartMs the client's wall clock at the run's start.
 */
export const targetClock = (exchanges: readonly Exchange[], wallStartMs: number): TargetClock => {
  const dates = datesOf(exchanges)
  if (dates.length === 0) return clientsClock(wallStartMs)
  let [latest, earliest] = [dates[0], dates[0]]
  for (const each of dates) {
    if (each.from > latest.from) latest = each
    if (each.to < earliest.to) earliest = each
  }
  const [{ from }, { to }] = [latest, earliest]
  if (from <= to && Math.abs(from - wallStartMs) <= mostDistanceMs) {
    return { from, to, told: true }
  }
  // Several clocks, or one that was set: from the one that is furthest behind to the one that is furthest ahead.
  const apart = from > to
  const said = apart ? { from: earliest.from, to: latest.to } : { from, to }
  const contradiction = apart ? { contradictionMs: from - to } : {}
  const isNear = dates.every((each) => Math.abs(each.from - wallStartMs) <= mostDistanceMs)
  if (isNear && from - to <= mostContradictionMs) return { ...said, told: true, ...contradiction }
  return { ...clientsClock(wallStartMs), said, ...contradiction }
}
