import { waitSlackMs } from '../../contract/whole-seconds.js'
import { outcomes, type QuotaWindow } from '../../readings/history.js'
import { slowestBucket } from '../counting/slowest-bucket.js'
import { admissibleModels } from '../models/admissible.js'
import { leastGranted } from '../models/tolerance.js'
import type { SharedQuota, SharedRequests } from './shared-quota.js'
import { spentWithin } from './spent-within.js'

/** Whether a quota may have made a refusal, and how much of the quota was spent by then. */
export interface Suspicion {
  /** @param trustsWait whether a wait that is longer than the quota can name speaks for another. */
  readonly mayRefuse: (request: number, afterUseBefore: boolean, trustsWait: boolean) => boolean
  /** Whether the run itself had spent it by then, with what was under way. */
  readonly wasSpent: (request: number) => boolean
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

/** A window's beginning is tried at so many places: counts between two of them are taken for the larger. */
const triedPhases = 64

/**
 * The most that a sliding counter can make of what was spent, wherever its windows begin: what lies in the current
 * window whole, and of the window before the share that still overlaps.
 *
 * @param spent how much was spent from `ago` before an instant on, until `before` it; both in milliseconds.
 */
const weightedMost = (windowMs: number, spent: (ago: number, before: number) => number): number => {
  let most = 0
  for (let phase = 0; phase < triedPhases; phase += 1) {
    // What lies between this place and the one before is taken for current, where it weighs most.
    const beganAgo = ((phase + 1) * windowMs) / triedPhases
    const current = spent(beganAgo, 0)
    const before = spent(beganAgo + windowMs, beganAgo)
    most = Math.max(most, current + Math.max(0, before) * (1 - phase / triedPhases))
  }
  return most
}

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
  const fullMs = fullAfterMs(least ?? window)
  const isWeighted = admissibleModels(window).includes('sliding-counter')
  const costOf = (i: number): number => cost?.[i] ?? 1
  const spending = { ...requests, part, costOf }
  const perhaps = spentWithin(spending, (i) => maySpend(requests, quota, i))
  const certainly = spentWithin(spending, (i) => requests.outcome[i] === outcomes.admitted)
  return {
    mayRefuse(i, afterUseBefore, trustsWait) {
      if (part[i] < 0 || (trustsWait && requests.waitMs[i] > longestWaitMs(window))) return false
      const fromMs = requests.sentMs[i] - countsMs - 2 * clockErrorMs
      if (least === null || (afterUseBefore && priorUntilMs >= fromMs)) return true
      const untilMs = requests.receivedMs[i] + 2 * clockErrorMs
      const own = maySpend(requests, quota, i) ? costOf(i) : 0
      const spent = (sinceMs: number, toMs: number): number => perhaps(i, requests.sentMs[i] - sinceMs, toMs)
      const withinOne = spent(fullMs + 2 * clockErrorMs, untilMs)
      if (withinOne - own + costOf(i) > capacity) return true
      if (!isWeighted) return false
      return (
        weightedMost(fullMs, (ago, before) => spent(ago + 2 * clockErrorMs, untilMs - before)) - own + costOf(i) >
        capacity
      )
    },
    wasSpent: (i) =>
      part[i] >= 0 &&
      certainly(i, requests.sentMs[i] - fullMs, requests.receivedMs[i] + 2 * clockErrorMs) + costOf(i) > capacity,
    shareSpent: (i) =>
      part[i] < 0
        ? 0
        : certainly(i, requests.sentMs[i] - fullAfterMs(window), requests.sentMs[i]) / Math.max(1, capacity),
  }
}
