import type { Limiter } from './limiter.js'

/** A limiter together with its state: what one key has spent in one window. Times in milliseconds since the epoch. */
export interface Meter {
  available(nowMs: number): number
  take(nowMs: number): void
  refund(nowMs: number): void
  resetMs(nowMs: number): number
  admitsAtMs(nowMs: number, cost?: number): number
  forgetAtMs(): number
}

/** A meter that tells its state, for who keeps it elsewhere and goes on with it later. */
export interface OpenedMeter extends Meter {
  state(): unknown
}

/** Starts a meter of that limiter, or goes on with the state of an earlier one. */
export const meterOf = <State>(limiter: Limiter<State>, nowMs: number, kept?: unknown): OpenedMeter => {
  let state = (kept as State | undefined) ?? limiter.start(nowMs)
  return {
    state: () => state,
    available: (atMs) => limiter.available(state, atMs),
    take(atMs) {
      state = limiter.take(state, atMs)
    },
    refund(atMs) {
      state = limiter.refund(state, atMs)
    },
    resetMs: (atMs) => limiter.resetMs(state, atMs),
    admitsAtMs: (atMs, cost) => limiter.admitsAtMs(state, atMs, cost),
    forgetAtMs: () => limiter.forgetAtMs(state),
  }
}
