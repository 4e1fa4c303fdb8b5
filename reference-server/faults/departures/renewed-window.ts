import type { Allowance, Limiter } from '../../limiters/limiter.js'

interface Renewed {
  readonly startMs: number
  readonly used: number
}

/** A window that is renewed by each request that `renews` says: its end moves to a window's length from then. */
export const renewedWindow = ({ limit, lengthMs }: Allowance, renews: (used: number) => boolean): Limiter<Renewed> => {
  const open = ({ startMs }: Renewed, nowMs: number) => nowMs < startMs + lengthMs
  return {
    start: () => ({ startMs: Number.NEGATIVE_INFINITY, used: 0 }),
    available: (state, nowMs) => (open(state, nowMs) ? Math.max(0, limit - state.used) : limit),
    take(state, nowMs) {
      if (!open(state, nowMs)) return { startMs: nowMs, used: 1 }
      return { startMs: renews(state.used) ? nowMs : state.startMs, used: state.used + 1 }
    },
    refund: ({ startMs, used }) => ({ startMs, used: Math.max(0, used - 1) }),
    resetMs: (state, nowMs) => (open(state, nowMs) ? state.startMs : nowMs) + lengthMs,
    admitsAtMs: (state, nowMs, cost = 1) =>
      open(state, nowMs) && state.used + cost > limit ? state.startMs + lengthMs : nowMs,
    forgetAtMs: ({ startMs }) => startMs + lengthMs,
  }
}
