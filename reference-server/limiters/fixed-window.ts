import type { Allowance, Limiter } from './limiter.js'

interface AlignedWindow {
  readonly startMs: number
  readonly used: number
}

/** Counts in windows that are aligned with the clock: each starts at a multiple of its length since the epoch. */
export const fixedWindow = ({ limit, lengthMs }: Allowance): Limiter<AlignedWindow> => {
  const alignedMs = (nowMs: number) => Math.floor(nowMs / lengthMs) * lengthMs
  const over = (state: AlignedWindow, nowMs: number) => nowMs >= state.startMs + lengthMs
  // A length that is no whole number may put the floor one window back, by a rounding error.
  const startAfter = (state: AlignedWindow, nowMs: number) => Math.max(alignedMs(nowMs), state.startMs + lengthMs)
  const current = (state: AlignedWindow, nowMs: number): AlignedWindow =>
    over(state, nowMs) ? { startMs: startAfter(state, nowMs), used: 0 } : state
  const endMs = (state: AlignedWindow, nowMs: number) => current(state, nowMs).startMs + lengthMs

  return {
    start: (nowMs) => ({ startMs: alignedMs(nowMs), used: 0 }),
    available: (state, nowMs) => (over(state, nowMs) ? limit : Math.max(0, limit - state.used)),
    take(state, nowMs) {
      const { startMs, used } = current(state, nowMs)
      return { startMs, used: used + 1 }
    },
    refund(state, nowMs) {
      const { startMs, used } = current(state, nowMs)
      return { startMs, used: Math.max(0, used - 1) }
    },
    resetMs: endMs,
    admitsAtMs: (state, nowMs, cost = 1) =>
      over(state, nowMs) || state.used + cost <= limit ? nowMs : state.startMs + lengthMs,
    forgetAtMs: (state) => (state.used === 0 ? state.startMs : state.startMs + lengthMs),
  }
}

export interface OpenedWindow {
  readonly startMs: number
  readonly used: number
}

/** Counts in windows that the first request after the last window's end opens. */
export const fixedWindowFirstRequest = ({ limit, lengthMs }: Allowance): Limiter<OpenedWindow> => {
  const open = (state: OpenedWindow, nowMs: number) => nowMs < state.startMs + lengthMs
  return {
    start: () => ({ startMs: Number.NEGATIVE_INFINITY, used: 0 }),
    available: (state, nowMs) => (open(state, nowMs) ? Math.max(0, limit - state.used) : limit),
    take: (state, nowMs) =>
      open(state, nowMs) ? { startMs: state.startMs, used: state.used + 1 } : { startMs: nowMs, used: 1 },
    // The window stays open: a request that was given back has opened it all the same.
    refund: (state) => ({ startMs: state.startMs, used: Math.max(0, state.used - 1) }),
    resetMs: (state, nowMs) => (open(state, nowMs) ? state.startMs + lengthMs : nowMs + lengthMs),
    admitsAtMs: (state, nowMs, cost = 1) =>
      open(state, nowMs) && state.used + cost > limit ? state.startMs + lengthMs : nowMs,
    forgetAtMs: (state) => state.startMs + lengthMs,
  }
}
