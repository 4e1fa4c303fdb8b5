import type { QuotaWindow } from '../../src/contract/plans.js'
import type { Limiter } from './limiter.js'

/** A ring of the moments of admission, oldest first. */
interface AdmissionLog {
  readonly momentsMs: Float64Array
  readonly oldest: number
  readonly size: number
}

/** The initial size of a ring; it doubles when full. */
const smallestRing = 16

/** Remembers the moment of every admission, and admits while fewer than `limit` lie within the last `windowMs`. */
export const slidingLog = ({ limit, windowMs }: QuotaWindow): Limiter<AdmissionLog> => ({
  start: () => ({ momentsMs: new Float64Array(smallestRing), oldest: 0, size: 0 }),
  available: (log, nowMs) => Math.max(0, limit - (log.size - expired(log, nowMs - windowMs))),
  take(log, nowMs) {
    const gone = expired(log, nowMs - windowMs)
    const kept = log.size - gone
    const { momentsMs, oldest } = kept < log.momentsMs.length ? moved(log, gone) : grown(log)
    // A clock that steps back must not disturb the order.
    const latestMs = kept > 0 ? momentsMs[(oldest + kept - 1) % momentsMs.length] : nowMs
    momentsMs[(oldest + kept) % momentsMs.length] = Math.max(nowMs, latestMs)
    return { momentsMs, oldest, size: kept + 1 }
  },
  refund: (log) => ({ ...log, size: Math.max(0, log.size - 1) }),
  resetMs: (log, nowMs) => (log.size === 0 ? nowMs : Math.max(nowMs, momentMs(log, log.size - 1) + windowMs)),
  admitsAtMs: (log, nowMs, cost = 1) =>
    log.size + cost <= limit ? nowMs : Math.max(nowMs, momentMs(log, log.size + cost - 1 - limit) + windowMs),
  forgetAtMs: (log) => (log.size === 0 ? Number.NEGATIVE_INFINITY : momentMs(log, log.size - 1) + windowMs),
})

const momentMs = (log: AdmissionLog, index: number) => log.momentsMs[(log.oldest + index) % log.momentsMs.length]

/** How many of the oldest admissions were at or before that moment: a binary search. */
const expired = (log: AdmissionLog, untilMs: number): number => {
  let low = 0
  let high = log.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (momentMs(log, middle) <= untilMs) low = middle + 1
    else high = middle
  }
  return low
}

const moved = (log: AdmissionLog, by: number) => ({
  momentsMs: log.momentsMs,
  oldest: (log.oldest + by) % log.momentsMs.length,
})

const grown = (log: AdmissionLog) => {
  const momentsMs = new Float64Array(log.momentsMs.length * 2)
  for (let index = 0; index < log.size; index += 1) momentsMs[index] = momentMs(log, index)
  return { momentsMs, oldest: 0 }
}

interface TwoWindows {
  readonly startMs: number
  readonly current: number
  readonly previous: number
}

/** Counts in clock-aligned windows, with the share of the previous one that lies within the last `windowMs`. */
export const slidingCounter = ({ limit, windowMs }: QuotaWindow): Limiter<TwoWindows> => {
  const alignedMs = (nowMs: number) => Math.floor(nowMs / windowMs) * windowMs
  const rolled = (state: TwoWindows, nowMs: number): TwoWindows => {
    const nextMs = state.startMs + windowMs
    if (nowMs < nextMs) return state
    if (nowMs < nextMs + windowMs) return { startMs: nextMs, current: 0, previous: state.current }
    return { startMs: Math.max(alignedMs(nowMs), nextMs + windowMs), current: 0, previous: 0 }
  }
  const counted = ({ startMs, current, previous }: TwoWindows, nowMs: number) =>
    Math.floor(previous * Math.min(1, 1 - (nowMs - startMs) / windowMs)) + current
  const admitsAtMs = (state: TwoWindows, nowMs: number, cost = 1) => {
    const now = rolled(state, nowMs)
    const bound = limit - cost + 1
    if (counted(now, nowMs) < bound) return nowMs
    // The weighted count has to fall below the bound, not just reach it: hence the next millisecond.
    const full = now.current >= bound
    const fromMs = full ? now.startMs + windowMs : now.startMs
    const share = full ? 1 - bound / now.current : 1 - (bound - now.current) / now.previous
    return Math.floor(fromMs + windowMs * share) + 1
  }
  return {
    start: (nowMs) => ({ startMs: alignedMs(nowMs), current: 0, previous: 0 }),
    available: (state, nowMs) => Math.max(0, limit - counted(rolled(state, nowMs), nowMs)),
    take(state, nowMs) {
      const now = rolled(state, nowMs)
      return { ...now, current: now.current + 1 }
    },
    refund(state, nowMs) {
      const now = rolled(state, nowMs)
      return { ...now, current: Math.max(0, now.current - 1) }
    },
    resetMs: (state, nowMs) => Math.max(rolled(state, nowMs).startMs + windowMs, admitsAtMs(state, nowMs)),
    admitsAtMs,
    forgetAtMs: (state) => state.startMs + 2 * windowMs,
  }
}
