import type { QuotaWindow } from '../../src/contract/plans.js'
import type { Limiter } from './limiter.js'

export interface Window {
  readonly startMs: number
  readonly used: number
}

/** How a limiter begins and ends its windows; everything else about them is the same for all. */
interface Windows<State extends Window> extends Pick<Limiter<State>, 'start' | 'forgetAtMs'> {
  /** The window of a moment: the given one, or a new one with nothing used. */
  current(state: State, nowMs: number): State
}

const countingIn = <State extends Window>(
  { limit, windowMs }: QuotaWindow,
  { start, current, forgetAtMs }: Windows<State>,
): Limiter<State> => {
  const left = (state: State, nowMs: number) => Math.max(0, limit - current(state, nowMs).used)
  const endMs = (state: State, nowMs: number) => current(state, nowMs).startMs + windowMs
  const using = (state: State, more: number) => ({ ...state, used: Math.max(0, state.used + more) })
  return {
    start,
    available: left,
    take: (state, nowMs) => using(current(state, nowMs), 1),
    refund: (state, nowMs) => using(current(state, nowMs), -1),
    resetMs: endMs,
    admitsAtMs: (state, nowMs, cost = 1) => (left(state, nowMs) >= cost ? nowMs : endMs(state, nowMs)),
    forgetAtMs,
  }
}

/** Counts in windows aligned with the clock: each starts at a multiple of its length since the epoch. */
export const fixedWindow = (allowance: QuotaWindow): Limiter<Window> => {
  const { windowMs } = allowance
  const alignedMs = (nowMs: number) => Math.floor(nowMs / windowMs) * windowMs
  return countingIn(allowance, {
    start: (nowMs) => ({ startMs: alignedMs(nowMs), used: 0 }),
    current(state, nowMs) {
      const endMs = state.startMs + windowMs
      // If the length is fractional, a rounding error may put the floor one window back.
      return nowMs >= endMs ? { startMs: Math.max(alignedMs(nowMs), endMs), used: 0 } : state
    },
    forgetAtMs: ({ startMs, used }) => (used === 0 ? startMs : startMs + windowMs),
  })
}

/** Counts in windows opened by the first request after the previous window's end. */
export const fixedWindowFirstRequest = (allowance: QuotaWindow): Limiter<Window> => {
  const { windowMs } = allowance
  return {
    ...countingIn(allowance, {
      start: () => ({ startMs: Number.NEGATIVE_INFINITY, used: 0 }),
      current: (state, nowMs) => (nowMs < state.startMs + windowMs ? state : { startMs: nowMs, used: 0 }),
      forgetAtMs: ({ startMs }) => startMs + windowMs,
    }),
    // A refund neither opens nor closes a window: the refunded request has still opened it.
    refund: ({ startMs, used }) => ({ startMs, used: Math.max(0, used - 1) }),
  }
}

interface ExpiringWindow extends Window {
  /** The latest admission. */
  readonly lastMs: number
}

/** How long after an admission a store keeps a key's state: at least until the next refill. */
export type KeptMs = (windowMs: number, untilRefillMs: number) => number

const unused: ExpiringWindow = { startMs: Number.NEGATIVE_INFINITY, used: 0, lastMs: Number.NEGATIVE_INFINITY }

/**
 * The whole quota returns every `windowMs`, on a grid that begins with the first use; a store forgets an idle key, by
 * default a window after its latest admission, and then its grid starts anew.
 */
export const intervalRefillIdle = (
  allowance: QuotaWindow,
  keptMs: KeptMs = (windowMs) => windowMs,
): Limiter<ExpiringWindow> => {
  const { windowMs } = allowance
  const expiresAtMs = ({ startMs, lastMs }: ExpiringWindow) => lastMs + keptMs(windowMs, startMs + windowMs - lastMs)
  const limiter = countingIn<ExpiringWindow>(allowance, {
    start: () => unused,
    current(state, nowMs) {
      if (nowMs < state.startMs + windowMs) return state
      if (state.lastMs === Number.NEGATIVE_INFINITY || nowMs >= expiresAtMs(state)) return { ...unused, startMs: nowMs }
      const intervals = Math.max(1, Math.floor((nowMs - state.startMs) / windowMs))
      return { ...state, startMs: state.startMs + intervals * windowMs, used: 0 }
    },
    forgetAtMs: expiresAtMs,
  })
  const lastOf = ({ lastMs }: ExpiringWindow, nowMs: number) => Math.max(lastMs, nowMs)
  return { ...limiter, take: (state, nowMs) => ({ ...limiter.take(state, nowMs), lastMs: lastOf(state, nowMs) }) }
}

/** For how many windows an idle key's grid is kept; after that nobody remembers its phase. */
const keptWindows = 100

/** The whole quota returns every `windowMs`, on a grid that begins with the first use. */
export const intervalRefill = (allowance: QuotaWindow): Limiter<ExpiringWindow> => ({
  ...intervalRefillIdle(allowance, () => Number.POSITIVE_INFINITY),
  forgetAtMs: ({ startMs }) => startMs + keptWindows * allowance.windowMs,
})
