import { secondMs } from '../contract/plans.js'
import { type Exchange, headerValues, isAnswered, isGatewayAnswer } from '../evidence/exchange.js'
import { parseHttpDate } from '../kit/http-date.js'
import { onceFor } from '../kit/once-for.js'
import type { Span } from './history.js'

/** The clock behind `Date` may differ from the one behind Reset. */
export const clocksDifferMs = 1_000

/** The target's wall clock on the run's: `epochMs = runMs + offset`, with an interval that certainly holds the offset. */
export interface TargetClock extends Span {
  /** Whether the target's `Date` headers showed it; else it is the client's clock, and the target's may differ. */
  readonly told: boolean
  /**
   * Where the offset lies if the target keeps time as machines normally do. What is wrong only by this interval is no breach,
   * and what is right only by the certain one proves nothing. Absent if the certain interval is as narrow.
   */
  readonly likely?: Span
  /** What the Dates say if they cannot be its clock: a Reset that is right by them does not count against the target. */
  readonly said?: Span
  /** How far its Dates contradict each other: its clock was set, or it has several. Absent if they agree. */
  readonly contradictionMs?: number
  /** Set where every moment is counted from the receipt of its answer: then it never is a whole second. */
  readonly ofWaits?: true
}

/** Two tenths of a second: by so much the clock behind a moment in parts of a second may differ from that behind `Date`. */
const fineErrorMs = 200

/** By how much the moment may be off that a Reset names, in seconds since the epoch: by a second, unless it names parts of one. */
export const momentErrorMs = ({ ofWaits }: TargetClock, seconds: number): number =>
  ofWaits || seconds % 1 === 0 ? secondMs : fineErrorMs

/** A `Date` is truncated to its second, and servers renew it by a timer that may be a tenth of a second late. */
const dateStandsForMs = 1_100

/** Five minutes: how far apart the clocks of two machines may be without a time zone or a mistake. */
const assumedErrorMs = 300_000

/** Two seconds: how far apart the clocks of two machines with NTP may be, such as servers and test machines. */
const likelyErrorMs = 2_000

/** Five seconds: Dates of several nodes may differ by this much and still be clocks; beyond it they are not. */
const mostContradictionMs = 5_000

/** A day: a Date that is further from the client's clock is made up, or stands still. */
const mostDistanceMs = 86_400_000

/** The offsets that an answer's `Date` allows; null for none, or a gateway's clock. Cached, as each answer asks. */
const dateOf = onceFor((x: Exchange): Span | null => {
  if (!isAnswered(x) || isGatewayAnswer(x)) return null
  const dates = headerValues(x.response.headers, 'Date')
  const epochMs = dates.length === 1 ? parseHttpDate(dates[0]) : undefined
  return epochMs === undefined ? null : { from: epochMs - x.receivedAt, to: epochMs + dateStandsForMs - x.sentAt }
})

/** Whether an exchange never left this machine. */
const isOnThisMachine = ({ request }: Exchange): boolean =>
  /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(request.url)

/**
 * Fifty milliseconds: a target on the same machine uses the same clock, read at another moment. Likely, but never certain: behind
 * a loopback address may be a tunnel to another machine, or a virtual machine whose clock drifts while it sleeps.
 */
const sameMachineErrorMs = 50

/** The client's own clock, instead of the target's. */
const clientsClock = (wallStartMs: number, errorMs: number): TargetClock => {
  const within = (errorMs: number) => ({ from: wallStartMs - errorMs, to: wallStartMs + errorMs })
  return { ...within(assumedErrorMs), told: false, likely: within(errorMs) }
}

/**
 * Learns the target's clock from all `Date` headers: the offset lies in the intersection of what each one allows. If two
 * answers allow [0, 1100] ms and [700, 1800] ms, it is [700, 1100] ms. The interface does not require Date: if there is none,
 * or if it jumps or is far from the client's clock, the client's own clock is used.
 *
 * @param wallStartMs the client's wall clock at the run's start.
 */
export const targetClock = (exchanges: readonly Exchange[], wallStartMs: number): TargetClock => {
  const dates = exchanges.flatMap((x) => dateOf(x) ?? [])
  const errorMs = exchanges.some(isOnThisMachine) ? sameMachineErrorMs : likelyErrorMs
  if (dates.length === 0) return clientsClock(wallStartMs, errorMs)
  let [latest, earliest] = [dates[0], dates[0]]
  for (const each of dates) {
    if (each.from > latest.from) latest = each
    if (each.to < earliest.to) earliest = each
  }
  const [{ from }, { to }] = [latest, earliest]
  if (from <= to && Math.abs(from - wallStartMs) <= mostDistanceMs) return { from, to, told: true }
  // Several clocks, or one that was set: the whole range, from the one furthest behind to the one furthest ahead.
  const apart = from > to
  const said = apart ? { from: earliest.from, to: latest.to } : { from, to }
  const contradiction = apart ? { contradictionMs: from - to } : {}
  const isNear = dates.every((each) => Math.abs(each.from - wallStartMs) <= mostDistanceMs)
  if (isNear && from - to <= mostContradictionMs) return { ...said, told: true, ...contradiction }
  // Dates that are no clock may come from some other clock.
  return { ...clientsClock(wallStartMs, likelyErrorMs), said, ...contradiction }
}

/** The client's own clock, if the Dates show one that is certainly another; a Reset that is right by them still counts as right. */
export const clockDespiteDates = (clock: TargetClock, wallStartMs: number): TargetClock | undefined => {
  const { from, to, told } = clock
  const isAnother = from > wallStartMs + likelyErrorMs || to < wallStartMs - likelyErrorMs
  return told && isAnother ? { ...clientsClock(wallStartMs, likelyErrorMs), said: { from, to } } : undefined
}

/** The clock if answers name only waits: the run's own. */
export const clockOfWaits = (wallStartMs: number): TargetClock => ({
  from: wallStartMs,
  to: wallStartMs,
  told: false,
  ofWaits: true,
})
