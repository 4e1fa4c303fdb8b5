import type { Quota } from '../contract/plans.js'

/**
 * What one key may still send without being refused, as far as the run itself knows: never more than the plan's limit
 * in any span of a window, whatever the limiter. Pure bookkeeping; the session does the waiting.
 */
export interface Pacing {
  /** The earliest moment at which one more request stays within the limit. */
  readyAt(): number
  sent(at: number, count?: number): void
}

/** Targets' clocks and ours drift apart, so a window is taken to last a little longer. */
const margin = 1.01

export const createPacing = (quota: Quota, minuteMs: number): Pacing => {
  let recent: { at: number; count: number }[] = []
  return {
    readyAt() {
      let room = quota.minute
      for (let i = recent.length - 1; i >= 0; i -= 1) {
        room -= recent[i].count
        if (room <= 0) return recent[i].at + minuteMs * margin
      }
      return 0
    },
    sent(at, count = 1) {
      recent = [...recent.filter((each) => each.at > at - 2 * minuteMs), { at, count }]
    },
  }
}
