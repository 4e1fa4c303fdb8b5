/** Counts requests in one window. Time is an argument; a clock that steps back changes nothing. */
export interface Limiter<State> {
  /** Nothing spent yet. */
  start(nowMs: number): State
  /** How many requests would be admitted at this instant; 0 says that the next one is refused. Changes nothing. */
  available(state: State, nowMs: number): number
  /** One more admitted request. The given state is used up: it may come back changed. */
  take(state: State, nowMs: number): State
  /** Gives the latest admitted request back. The given state is used up. */
  refund(state: State, nowMs: number): State
  /** When what was spent is there again; a sliding counter names the window's end, though a share still weighs then. */
  resetMs(state: State, nowMs: number): number
  /** When a request that costs so much (1 unless told) is admitted, if none is sent before; `nowMs` if at once. */
  admitsAtMs(state: State, nowMs: number, cost?: number): number
  /** From this moment on the state says no more than a fresh one would. */
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

/** The names of the ways of counting that the server knows. */
export const algorithmNames = [
  'fixed-window',
  'fixed-window-first-request',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
  'interval-refill',
  'interval-refill-idle',
] as const

export type AlgorithmName = (typeof algorithmNames)[number]
