/** So many requests in so much time. */
export interface Allowance {
  readonly limit: number
  readonly lengthMs: number
}

/**
 * How requests are counted in one window. Time is an argument, in milliseconds since the epoch; there is no clock and
 * no timer. A clock that steps back gives nothing back and takes nothing away.
 */
export interface Limiter<State> {
  /** Nothing spent yet. */
  start(nowMs: number): State
  /** How many requests would be admitted at this instant; 0 says that the next one is refused. Changes nothing. */
  available(state: State, nowMs: number): number
  /** One more admitted request. The given state is used up: it may come back changed. */
  take(state: State, nowMs: number): State
  /** Gives the latest admitted request back. The given state is used up. */
  refund(state: State, nowMs: number): State
  /** The moment from which what was spent is there again, as far as the window's length allows to say. */
  resetMs(state: State, nowMs: number): number
  /** The moment of the next admission to somebody who stays silent until then; `nowMs` where there is no wait. */
  admitsAtMs(state: State, nowMs: number): number
  /** From this moment on the state says no more than a fresh one would. */
  forgetAtMs(state: State): number
}
