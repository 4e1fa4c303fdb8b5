import type { Allowance, Limiter } from './limiter.js'

/**
 * How far the theoretical arrival time is ahead of a moment. Kept as a difference: at 1e12 ms a double is too coarse.
 */
export interface Backlog {
  readonly backlogMs: number
  readonly atMs: number
}

/** Sums of fractions are off a whole request by less than this share. */
const roundingError = 1e-6

/** The generic cell rate algorithm (ITU-T I.371): each request costs an equal share of the window's length. */
export const gcra = ({ limit, lengthMs, capacity = limit }: Allowance): Limiter<Backlog> => {
  const costMs = lengthMs / limit
  const toleranceMs = capacity * costMs
  const paid = (state: Backlog, nowMs: number): Backlog => {
    const atMs = Math.max(state.atMs, nowMs)
    return { backlogMs: Math.max(0, state.backlogMs - (atMs - state.atMs)), atMs }
  }
  const fitting = (state: Backlog, nowMs: number) =>
    Math.max(0, Math.floor((toleranceMs - paid(state, nowMs).backlogMs) / costMs + roundingError))
  return {
    start: (nowMs) => ({ backlogMs: 0, atMs: nowMs }),
    available: fitting,
    take(state, nowMs) {
      const { backlogMs, atMs } = paid(state, nowMs)
      return { backlogMs: backlogMs + costMs, atMs }
    },
    refund(state, nowMs) {
      const { backlogMs, atMs } = paid(state, nowMs)
      return { backlogMs: Math.max(0, backlogMs - costMs), atMs }
    },
    resetMs: (state, nowMs) => Math.max(nowMs, state.atMs + state.backlogMs),
    admitsAtMs: (state, nowMs, cost = 1) =>
      fitting(state, nowMs) >= cost ? nowMs : state.atMs + (state.backlogMs - toleranceMs + cost * costMs),
    forgetAtMs: (state) => state.atMs + state.backlogMs,
  }
}
