import type { OpenMeter } from '../limiters/algorithms.js'
import { type Limiter, type Meter, meterOf } from '../limiters/limiter.js'
import { fixedWindowFirstRequest, type Window } from '../limiters/windows.js'

/**
 * So many nodes behind one address, which take turns and each count alone. They name the wait after which all of them
 * serve, so that no promise is broken.
 */
export const countingAlone = (count: number, open: () => Meter): Meter => {
  const nodes = Array.from({ length: count }, open)
  let turn = 0
  const node = () => nodes[turn % nodes.length]
  const latest = (moment: (each: Meter) => number) => Math.max(...nodes.map(moment))
  return {
    available: (atMs) => node().available(atMs),
    take(atMs) {
      node().take(atMs)
    },
    refund: (atMs) => node().refund(atMs),
    resetMs(atMs) {
      // This is asked last about a request: the next request goes to the next node.
      turn += 1
      return latest((each) => each.resetMs(atMs))
    },
    admitsAtMs: (atMs, cost) => latest((each) => each.admitsAtMs(atMs, cost)),
    forgetAtMs: () => latest((each) => each.forgetAtMs()),
  }
}

/** Counts with this meter the first, the third and so on of what it is told to take. */
export const losingCounts = (meter: Meter): Meter => {
  let taken = 0
  return {
    ...meter,
    take(atMs) {
      taken += 1
      if (taken % 2 !== 0) meter.take(atMs)
    },
  }
}

/** Opens windows that a first request opens, and each renews that `renews` says: the end moves to a length from then. */
export const renewedWindow =
  (renews: (used: number, limit: number) => boolean): OpenMeter =>
  (allowance, nowMs) => {
    const window = fixedWindowFirstRequest(allowance)
    return meterOf(
      {
        ...window,
        take(state, atMs) {
          const taken = window.take(state, atMs)
          const stayed = taken.startMs === state.startMs
          return stayed && renews(state.used, allowance.limit) ? { ...taken, startMs: atMs } : taken
        },
      },
      nowMs,
    )
  }

export const everyRequestRenews = renewedWindow(() => true)

interface CountedFromSecond extends Window {
  readonly isFirstForgotten: boolean
}

/** Windows that a first request opens: it shows that one less is left, and the count begins with the second all the same. */
export const uncountedOpener: OpenMeter = (allowance, nowMs) => {
  const window = fixedWindowFirstRequest(allowance)
  const limiter: Limiter<CountedFromSecond> = {
    ...window,
    start: () => ({ ...window.start(nowMs), isFirstForgotten: false }),
    take(state, atMs) {
      const taken = window.take(state, atMs)
      if (taken.startMs !== state.startMs) return { ...taken, isFirstForgotten: false }
      return { ...taken, used: taken.used - (state.isFirstForgotten ? 0 : 1), isFirstForgotten: true }
    },
    refund: (state, atMs) => ({ ...state, ...window.refund(state, atMs) }),
  }
  return meterOf(limiter, nowMs)
}

/** Says yes to the nth of those who ask, to the one that is n after it, and so on. */
export const everyNth = (n: number): (() => boolean) => {
  let asked = 0
  return () => {
    asked += 1
    return asked % n === 0
  }
}
