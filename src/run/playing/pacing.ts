import type { KeyQuota } from '../../contract/key-quota.js'
import { driftMargin } from '../../probes/moves/fresh-window.js'

/**
 * Keeps what a key sends below its plan's limit in any span of W, so that no admissible limiter refuses it. With 60 a
 * minute: 60 requests may go out at once, the next one 60.6 s after the first. It only counts; the session waits.
 */
export interface Pacing {
  /** The earliest moment at which one more request stays within the limit. */
  readyAt(): number
  sent(at: number, count?: number): void
}

export const createPacing = (quota: KeyQuota, minuteMs: number): Pacing => {
  let recent: { at: number; count: number }[] = []
  return {
    readyAt() {
      let room = quota.limit
      for (let i = recent.length - 1; i >= 0; i -= 1) {
        room -= recent[i].count
        if (room <= 0) return recent[i].at + minuteMs * driftMargin
      }
      return 0
    },
    sent(at, count = 1) {
      recent = [...recent.filter((each) => each.at > at - 2 * minuteMs), { at, count }]
    },
  }
}
