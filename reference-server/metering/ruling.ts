import type { Meter } from '../limiters/meter.js'
import { mostLeft, type QuotaWindow, type Subject } from './subject.js'

/** How one window stands after a request was judged. Times in milliseconds since the epoch. */
export interface WindowState {
  readonly window: QuotaWindow
  readonly remaining: number
  readonly resetMs: number
  /** Whether this window is why the request was refused. */
  readonly refused: boolean
}

/** What was decided about a request. */
export interface Ruling {
  /** Unavailable: nobody could count it, and such requests are not served. */
  readonly outcome: 'admitted' | 'refused' | 'banned' | 'unavailable'
  readonly windows: readonly WindowState[]
  /** The wait until a request is admitted; 0 for one that was. */
  readonly retryAfterMs: number
  /** When it was decided, where a store decides by a clock of its own. */
  readonly decidedAtMs?: number
  /** Whether nobody could count it, and the windows are made up. */
  readonly uncounted?: boolean
}

/** What is known of a subject. */
export interface Tally {
  readonly subject: Subject
  /** One for each window of the subject, in that order. */
  readonly meters: readonly Meter[]
  refusedInARow: number
  refusedSinceMs: number
  bannedUntilMs: number
  /** When a request of the subject last came. */
  askedAtMs: number
}

/**
 * Judges one request in all windows, and counts it in all of them or in none, in a single step. A refused request
 * counts nowhere and lengthens nothing; too many of them in a row set off the ban.
 */
export const decide = (tally: Tally, nowMs: number): Ruling => {
  if (nowMs < tally.bannedUntilMs) return ruled(tally, nowMs, 'banned')
  for (const meter of tally.meters) {
    if (meter.available(nowMs) === 0) return refuse(tally, nowMs)
  }
  for (const meter of tally.meters) meter.take(nowMs)
  tally.refusedInARow = 0
  return ruled(tally, nowMs, 'admitted')
}

/** Counts a refusal of a request that costs so much; it sets off the ban where it is one too many. The windows stay. */
export const refuse = (tally: Tally, nowMs: number, cost = 1): Ruling => {
  const { ban } = tally.subject
  if (ban) {
    if (tally.refusedInARow === 0 || nowMs - tally.refusedSinceMs > ban.withinMs) {
      tally.refusedInARow = 0
      tally.refusedSinceMs = nowMs
    }
    tally.refusedInARow += 1
    if (tally.refusedInARow > ban.threshold) {
      tally.refusedInARow = 0
      tally.bannedUntilMs = nowMs + ban.lengthMs
      return ruled(tally, nowMs, 'banned', cost)
    }
  }
  return ruled(tally, nowMs, 'refused', cost)
}

/** How the windows stand. The wait is the longest that any refusing window, or the ban, asks for. */
export const ruled = (tally: Tally, nowMs: number, outcome: Ruling['outcome'], cost = 1): Ruling => {
  const banLeftMs = outcome === 'banned' ? tally.bannedUntilMs - nowMs : 0
  const windows: WindowState[] = []
  let retryAfterMs = banLeftMs
  for (let index = 0; index < tally.meters.length; index += 1) {
    const meter = tally.meters[index]
    const available = meter.available(nowMs)
    const refused = outcome !== 'admitted' && available < cost
    if (refused) retryAfterMs = Math.max(retryAfterMs, meter.admitsAtMs(nowMs, cost) - nowMs)
    windows.push({
      window: tally.subject.windows[index],
      remaining: outcome === 'banned' ? 0 : available,
      resetMs: Math.max(meter.resetMs(nowMs), nowMs + banLeftMs),
      refused: refused || outcome === 'banned',
    })
  }
  return { outcome, windows, retryAfterMs }
}

/** The window that headers show: the one nearer to exhaustion; of those that refused, the one whose Reset is later. */
export const nearestToExhaustion = ({ windows, outcome }: Ruling): WindowState => {
  let shown = windows[0]
  for (const state of windows) if (nearer(state, shown, outcome)) shown = state
  return shown
}

const nearer = (one: WindowState, other: WindowState, outcome: Ruling['outcome']): boolean => {
  if (outcome === 'admitted') return one.remaining / mostLeft(one.window) < other.remaining / mostLeft(other.window)
  if (one.refused !== other.refused) return one.refused
  return one.resetMs > other.resetMs
}
