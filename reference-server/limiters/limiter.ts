/** Counts requests in one window. Time is an argument; a clock that steps back changes nothing. */
export interface Limiter<State> {
  /** Nothing spent yet. */
  start(nowMs: number): State
  /** How many requests would be admitted at this instant; 0 if the next one is refused. Changes nothing. */
  available(state: State, nowMs: number): number
  /** Counts one more admitted request. The given state may be modified; use only the result. */
  take(state: State, nowMs: number): State
  /** Gives the latest admitted request back. The given state may be modified. */
  refund(state: State, nowMs: number): State
  /** When the spent quota is back; a sliding counter names the window's end, though part of it still counts then. */
  resetMs(state: State, nowMs: number): number
  /** When a request of this cost (default 1) is admitted, if none is sent before; `nowMs` if at once. */
  admitsAtMs(state: State, nowMs: number, cost?: number): number
  /** From this moment on the state is equivalent to a fresh one. */
  forgetAtMs(state: State): number
}

/** A limiter together with its state: what one key has spent in one window. Times in milliseconds since the epoch. */
export interface Meter {
  available(nowMs: number): number
  take(nowMs: number): void
  refund(nowMs: number): void
  resetMs(nowMs: number): number
  admitsAtMs(nowMs: number, cost?: number): number
  forgetAtMs(): number
}

/** A meter that reveals its state, so that it can be stored and continued later. */
export interface OpenedMeter extends Meter {
  state(): unknown
}

/** Starts a meter of that limiter, or continues from the state of an earlier one. */
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
