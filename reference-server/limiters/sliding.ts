import type { Allowance, Limiter } from './limiter.js'

/** A ring of the moments of admission, oldest first. */
interface AdmissionLog {
  readonly momentsMs: Float64Array
  readonly oldest: number
  readonly size: number
}

/** Room for so many admissions to begin with; doubled when it is full. */
const smallestRing = 16

/** Remembers the moment of every admission, and admits while fewer than the limit lie within the window's length. */
export const slidingLog = ({ limit, lengthMs }: Allowance): Limiter<AdmissionLog> => ({
  start: () => ({ momentsMs: new Float64Array(smallestRing), oldest: 0, size: 0 }),
  available: (log, nowMs) => Math.max(0, limit - (log.size - expired(log, nowMs - lengthMs))),
  take(log, nowMs) {
    const gone = expired(log, nowMs - lengthMs)
    const kept = log.size - gone
    const { momentsMs, oldest } = kept < log.momentsMs.length ? moved(log, gone) : grown(log)
    // A clock that steps back must not disturb the order.
    const latestMs = kept > 0 ? momentsMs[(oldest + kept - 1) % momentsMs.length] : nowMs
    momentsMs[(oldest + kept) % momentsMs.length] = Math.max(nowMs, latestMs)
    return { momentsMs, oldest, size: kept + 1 }
  },
  refund: (log) => ({ ...log, size: Math.max(0, log.size - 1) }),
  resetMs: (log, nowMs) => (log.size === 0 ? nowMs : Math.max(nowMs, momentMs(log, log.size - 1) + lengthMs)),
  admitsAtMs: (log, nowMs, cost = 1) =>
    log.size + cost <= limit ? nowMs : Math.max(nowMs, momentMs(log, log.size + cost - 1 - limit) + lengthMs),
  forgetAtMs: (log) => (log.size === 0 ? Number.NEGATIVE_INFINITY : momentMs(log, log.size - 1) + lengthMs),
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

/**
 * Counts in clock-aligned windows, and adds the share of the previous one that lies within the last `lengthMs`, rounded
 * down: 15 s into a minute, 41 in the last one and 20 in this one count 30 + 20.
 */
export const slidingCounter = ({ limit, lengthMs }: Allowance): Limiter<TwoWindows> => {
  const alignedMs = (nowMs: number) => Math.floor(nowMs / lengthMs) * lengthMs
  const rolled = (state: TwoWindows, nowMs: number): TwoWindows => {
    const nextMs = state.startMs + lengthMs
    if (nowMs < nextMs) return state
    if (nowMs < nextMs + lengthMs) return { startMs: nextMs, current: 0, previous: state.current }
    return { startMs: Math.max(alignedMs(nowMs), nextMs + lengthMs), current: 0, previous: 0 }
  }
  const counted = ({ startMs, current, previous }: TwoWindows, nowMs: number) =>
    Math.floor(previous * Math.min(1, 1 - (nowMs - startMs) / lengthMs)) + current
  const admitsAtMs = (state: TwoWindows, nowMs: number, cost = 1) => {
    const now = rolled(state, nowMs)
    const bound = limit - cost + 1
    if (counted(now, nowMs) < bound) return nowMs
    // The weighted count has to fall below the bound, not just to it: hence the next millisecond.
    const full = now.current >= bound
    const fromMs = full ? now.startMs + lengthMs : now.startMs
    const share = full ? 1 - bound / now.current : 1 - (bound - now.current) / now.previous
    return Math.floor(fromMs + lengthMs * share) + 1
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
    resetMs: (state, nowMs) => Math.max(rolled(state, nowMs).startMs + lengthMs, admitsAtMs(state, nowMs)),
    admitsAtMs,
    forgetAtMs: (state) => state.startMs + 2 * lengthMs,
  }
}
