import type { Allowance, Limiter } from './limiter.js'

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
