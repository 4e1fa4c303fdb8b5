import type { Allowance, Limiter } from './limiter.js'

export interface TwoWindows {
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
