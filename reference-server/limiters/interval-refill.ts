import type { Allowance, Limiter } from './limiter.js'

interface RefillGrid {
  /** The latest refill that was looked at; minus infinity before the first use. */
  readonly refilledMs: number
  readonly used: number
}

/** For how many windows an idle key's grid is kept: nobody remembers its phase for longer. */
const keptWindows = 100

/** The whole quota comes back every `lengthMs`, on a grid that begins with the first use. */
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
    admitsAtMs: (state, nowMs, cost = 1) => (left(state, nowMs) >= cost ? nowMs : nextRefillMs(state, nowMs)),
    forgetAtMs: (state) => state.refilledMs + keptWindows * lengthMs,
  }
}

interface ExpiringGrid {
  /** The latest refill that was looked at; minus infinity before the first use. */
  readonly refilledMs: number
  readonly used: number
  /** The latest admission. */
  readonly lastMs: number
}

/** For how long after an admission a store keeps a key's state: never less than until the next refill. */
export type KeptMs = (lengthMs: number, untilRefillMs: number) => number

/** An expiry of a window's length, set anew with each admission. */
const keptForWindow: KeptMs = (lengthMs) => lengthMs

const unused: ExpiringGrid = { refilledMs: Number.NEGATIVE_INFINITY, used: 0, lastMs: Number.NEGATIVE_INFINITY }

/**
 * The whole quota comes back every `lengthMs`, on a grid that begins with the first use, in a store whose keys expire:
 * a key that was idle for long enough begins a new grid with its next use.
 */
export const intervalRefillIdle = (
  { limit, lengthMs }: Allowance,
  keptMs: KeptMs = keptForWindow,
): Limiter<ExpiringGrid> => {
  const expiresAtMs = ({ refilledMs, lastMs }: ExpiringGrid) =>
    lastMs + keptMs(lengthMs, refilledMs + lengthMs - lastMs)
  const current = (state: ExpiringGrid, nowMs: number): ExpiringGrid => {
    if (nowMs < state.refilledMs + lengthMs) return state
    if (state.lastMs === Number.NEGATIVE_INFINITY || nowMs >= expiresAtMs(state))
      return { ...unused, refilledMs: nowMs }
    const intervals = Math.max(1, Math.floor((nowMs - state.refilledMs) / lengthMs))
    return { ...state, refilledMs: state.refilledMs + intervals * lengthMs, used: 0 }
  }
  const left = (state: ExpiringGrid, nowMs: number) => Math.max(0, limit - current(state, nowMs).used)
  const nextRefillMs = (state: ExpiringGrid, nowMs: number) => current(state, nowMs).refilledMs + lengthMs
  return {
    start: () => unused,
    available: left,
    take(state, nowMs) {
      const { refilledMs, used, lastMs } = current(state, nowMs)
      return { refilledMs, used: used + 1, lastMs: Math.max(lastMs, nowMs) }
    },
    refund(state, nowMs) {
      const now = current(state, nowMs)
      return { ...now, used: Math.max(0, now.used - 1) }
    },
    resetMs: nextRefillMs,
    admitsAtMs: (state, nowMs, cost = 1) => (left(state, nowMs) >= cost ? nowMs : nextRefillMs(state, nowMs)),
    forgetAtMs: expiresAtMs,
  }
}
