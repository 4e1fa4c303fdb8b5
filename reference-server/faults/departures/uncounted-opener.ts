import type { OpenMeter } from '../../limiters/algorithms.js'
import { fixedWindowFirstRequest, type OpenedWindow } from '../../limiters/fixed-window-first-request.js'
import type { Limiter } from '../../limiters/limiter.js'
import { meterOf } from '../../limiters/meter.js'

interface CountedFromSecond extends OpenedWindow {
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
