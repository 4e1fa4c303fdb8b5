import type { OpenMeter } from '../../limiters/algorithms.js'
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.js'
import { meterOf } from '../../limiters/meter.js'

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
