import { waitSlackMs } from '../../contract/whole-seconds.js'
import { slowestBucket } from '../counting/slowest-bucket.js'
import { outcomes, type QuotaWindow } from '../history.js'
import { admissibleModels } from '../models/admissible.js'
import { leastGranted } from '../models/tolerance.js'
import type { SharedQuota, SharedRequests } from './shared-quota.js'
import { spentWithin } from './spent-within.js'

/** Whether a quota may have made a refusal, and how much of the quota was spent by then. */
export interface Suspicion {
  readonly mayRefuse: (request: number, afterUseBefore: boolean) => boolean
  /** The share of the quota that the run had certainly spent. */
  readonly shareSpent: (request: number) => number
}

/** How long a bucket that was emptied takes until it is full; a window, where the bucket holds what the window gives. */
const fullAfterMs = ({ limit, windowMs, burst }: QuotaWindow): number => {
  if (burst === undefined) return windowMs
  const { perMs, each } = slowestBucket({ limit, windowMs, paced: true })
  return (burst * each) / perMs
}

/** How long use still counts: two windows in a sliding counter, one in the others; in a bucket until it is full. */
const countsForMs = (window: QuotaWindow): number =>
  admissibleModels(window).includes('sliding-counter') ? 2 * window.windowMs : fullAfterMs(window)

/** The longest wait that a quota can name: until its window is over, or its bucket full. */
const longestWaitMs = (window: QuotaWindow): number =>
  Math.max(window.windowMs * (1 + 1 / window.limit), fullAfterMs(window)) + waitSlackMs

/** Whether a request may have spent something of a quota. */
const maySpend = ({ outcome }: SharedRequests, { countsRefused }: SharedQuota, i: number): boolean =>
  outcome[i] === outcomes.admitted ||
  outcome[i] === outcomes.unknown ||
  (countsRefused && outcome[i] === outcomes.refused)

/**
 * What speaks against a quota, of all refusals. It may have made one that names no longer wait than it can name, where
 * as much may have been spent as it takes to refuse: within the time that still counts, by this run or by others before.
 */
export const suspicionOf = (requests: SharedRequests, quota: SharedQuota): Suspicion => {
  const { window, part, cost, clockErrorMs, priorUntilMs } = quota
  const least = leastGranted(window)
  const capacity = least === null ? 0 : (least.burst ?? least.limit)
  const countsMs = countsForMs(least ?? window)
  const costOf = (i: number): number => cost?.[i] ?? 1
  const spending = { ...requests, part, costOf }
  const perhaps = spentWithin(spending, (i) => maySpend(requests, quota, i))
  const certainly = spentWithin(spending, (i) => requests.outcome[i] === outcomes.admitted)
  return {
    mayRefuse(i, afterUseBefore) {
      if (part[i] < 0 || requests.waitMs[i] > longestWaitMs(window)) return false
      const fromMs = requests.sentMs[i] - countsMs - 2 * clockErrorMs
      if (least === null || (afterUseBefore && priorUntilMs >= fromMs)) return true
      const others =
        perhaps(i, fromMs, requests.receivedMs[i] + 2 * clockErrorMs) - (maySpend(requests, quota, i) ? costOf(i) : 0)
      return others + costOf(i) > capacity
    },
    shareSpent: (i) =>
      part[i] < 0
        ? 0
        : certainly(i, requests.sentMs[i] - fullAfterMs(window), requests.sentMs[i]) / Math.max(1, capacity),
  }
}
