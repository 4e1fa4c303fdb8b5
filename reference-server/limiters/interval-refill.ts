import type { Allowance, Limiter } from './limiter.js'

export interface RefillGrid {
  /** The latest refill that was looked at; minus infinity before the first use. */
  readonly refilledMs: number
  readonly used: number
}

/** An idle key's grid is kept for so many windows: long past anybody's memory of its phase. */
const keptWindows = 100

/** The whole quota comes back at once, every window's length, on a grid that the first use lays. */
export const intervalRefill = ({ limit, lengthMs }: Allowance): Limiter<RefillGrid> => {
  const current = (state: RefillGrid, nowMs: number): RefillGrid => {
    if (state.refilledMs === Number.NEGATIVE_INFINITY) return { refilledMs: nowMs, used: 0 }
    if (nowMs < state.refilledMs + lengthMs) return state
    const intervals = Math.max(1, Math.floor((nowMs - state.refilledMs) / lengthMs))
    return { refilledMs: state.refilledMs + intervals * lengthMs, used: 0 }
  }
  const left = (state: RefillGrid, nowMs: number) => Math.max(0, limit - current(state, nowMs).used)
  const nextRefillMs = (state: RefillGrid, nowMs: number) => current(state, nowMs).refilledMs + lengthMs
  return {
    start: () => ({ refilledMs: Number.NEGATIVE_INFINITY, used: 0 }),
    available: left,
    take(state, nowMs) {
      const { refilledMs, used } = current(state, nowMs)
      return { refilledMs, used: used + 1 }
    },
    refund(state, nowMs) {
      const { refilledMs, used } = current(state, nowMs)
      return { refilledMs, used: Math.max(0, used - 1) }
    },
    resetMs: nextRefillMs,
    admitsAtMs: (state, nowMs) => (left(state, nowMs) > 0 ? nowMs : nextRefillMs(state, nowMs)),
    forgetAtMs: (state) => state.refilledMs + keptWindows * lengthMs,
  }
}
