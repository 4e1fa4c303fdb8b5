import { mostAtOnce, type QuotaWindow, waitSlackMs } from '../contract/plans.js'
import { groupedBy } from '../kit/grouped-by.js'
import { placesOf } from '../kit/numbers.js'
import { type History, outcomes } from '../readings/history.js'
import { mostIn, passageOf } from '../readings/passage.js'
import { withCosts } from './costs.js'
import { slowestBucket } from './counting/tally.js'
import { admissibleModels, leastGranted } from './models/explanation.js'

/** Requests of a run that may count in several quotas, in order of sending, with times as in a {@link History}. */
export interface SharedRequests extends Pick<History, 'size' | 'sentMs' | 'receivedMs'> {
  /** Codes of {@link outcomes}: refused, whichever quota did it; excused, if it was no quota but a ban. */
  readonly outcome: Uint8Array
  /** The wait that a refusal names, counted from its receipt; NaN if it names none. */
  readonly waitMs: Float64Array
  /** Whether a refusal itself shows that the quota at an index has what the request costs; undefined if it shows neither. */
  readonly shows?: (request: number, place: number) => 'left' | 'spent' | undefined
}

/** One of several quotas, and what each request spends of it. */
export interface SharedQuota {
  readonly window: QuotaWindow
  /** The key, address or other part that each request counts in; -1 if it does not count in this quota. */
  readonly part: Int32Array
  /** What each request costs; 1 if absent. */
  readonly cost?: Uint16Array
  /** How far a decision may lie outside its interval because clocks drift. */
  readonly clockErrorMs: number
  /** The quota's use before this instant is unknown; minus infinity if it was unused. */
  readonly priorUntilMs: number
  /** Whether a request that another quota refuses may count in this one, as when one is checked after the other. */
  readonly countsRefused: boolean
}

/** The history of one part of a quota, in units, with the request of each row. */
export const historyOfPart = (
  requests: SharedRequests,
  quota: SharedQuota,
  outcome: Uint8Array,
  part: number,
): { readonly history: History; readonly requests: Uint32Array } => {
  const { window, clockErrorMs, priorUntilMs, cost } = quota
  const own = Uint32Array.from(placesOf(requests.size, (i) => quota.part[i] === part))
  const history: History = {
    size: own.length,
    sentMs: Float64Array.from(own, (i) => requests.sentMs[i] - clockErrorMs),
    receivedMs: Float64Array.from(own, (i) => requests.receivedMs[i] + clockErrorMs),
    outcome: Uint8Array.from(own, (i) => outcome[i]),
    priorUntilMs,
    targetEpochOffsetMs: null,
  }
  const ownCost = cost && Uint16Array.from(own, (i) => cost[i])
  const inUnits = withCosts(history, ownCost, mostAtOnce(window))
  return { history: inUnits.history, requests: inUnits.rows.map((row) => own[row]) }
}

/** How much of a request's part can have been spent between two instants. */
type SpentWithin = (request: number, fromMs: number, toMs: number) => number

/** For some requests, counted as often as they cost, each in its own part. */
const spentWithin = (
  requests: SharedRequests,
  { part, cost }: SharedQuota,
  spends: (i: number) => boolean,
): SpentWithin => {
  const byPart = groupedBy(
    placesOf(requests.size, (i) => part[i] >= 0 && spends(i)),
    (i) => part[i],
  )
  const passages = new Map(
    [...byPart].map(([each, rows]) => [
      each,
      passageOf(
        requests,
        rows.flatMap((i) => Array<number>(cost?.[i] ?? 1).fill(i)),
      ),
    ]),
  )
  return (request, fromMs, toMs) => {
    const own = passages.get(part[request])
    return own ? mostIn(own, fromMs, toMs) : 0
  }
}

/** How long an emptied bucket takes to fill up: a window, if the bucket holds what the window gives. */
const fullAfterMs = ({ limit, windowMs, burst }: QuotaWindow): number => {
  if (burst === undefined) return windowMs
  const { perMs, each } = slowestBucket({ limit, windowMs, paced: true })
  return (burst * each) / perMs
}

/** How long use counts: two windows in a sliding counter, one in the others, and in a bucket until it is full. */
const countsForMs = (window: QuotaWindow): number =>
  admissibleModels(window).includes('sliding-counter') ? 2 * window.windowMs : fullAfterMs(window)

/** The longest wait that a quota can name: until its window is over, or its bucket is full. */
const longestWaitMs = (window: QuotaWindow): number =>
  Math.max(window.windowMs * (1 + 1 / window.limit), fullAfterMs(window)) + waitSlackMs

/** How many window starts are tried; counts in between are taken as the larger. */
const triedPhases = 64

/**
 * The most that a sliding counter can make of what was spent, wherever its windows begin: the current window in full, plus
 * the share of the window before that still overlaps.
 *
 * @param spent how much was spent from `ago` before an instant until `before` it; both in milliseconds.
 */
const weightedMost = (windowMs: number, spent: (ago: number, before: number) => number): number => {
  let most = 0
  for (let phase = 0; phase < triedPhases; phase += 1) {
    // What lies between this start and the previous one is taken as current, where it weighs most.
    const beganAgo = ((phase + 1) * windowMs) / triedPhases
    const current = spent(beganAgo, 0)
    const before = spent(beganAgo + windowMs, beganAgo)
    most = Math.max(most, current + Math.max(0, before) * (1 - phase / triedPhases))
  }
  return most
}

const maySpend = ({ outcome }: SharedRequests, { countsRefused }: SharedQuota, i: number): boolean =>
  outcome[i] === outcomes.admitted ||
  outcome[i] === outcomes.unknown ||
  (countsRefused && outcome[i] === outcomes.refused)

/**
 * What incriminates a quota, for every refusal. It may have refused if the refusal names no longer wait than the quota can,
 * and if enough may have been spent: within the time that still counts, by this run or by others before.
 */
export const suspicionOf = (requests: SharedRequests, quota: SharedQuota) => {
  const { window, part, cost, clockErrorMs, priorUntilMs } = quota
  const least = leastGranted(window)
  const capacity = least === null ? 0 : mostAtOnce(least)
  const countsMs = countsForMs(least ?? window)
  const fullMs = fullAfterMs(least ?? window)
  const isWeighted = admissibleModels(window).includes('sliding-counter')
  const costOf = (i: number): number => cost?.[i] ?? 1
  const perhaps = spentWithin(requests, quota, (i) => maySpend(requests, quota, i))
  const certainly = spentWithin(requests, quota, (i) => requests.outcome[i] === outcomes.admitted)
  return {
    /** @param trustsWait whether a wait longer than the quota can name points to another quota. */
    mayRefuse(i: number, afterUseBefore: boolean, trustsWait: boolean) {
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
    /** Whether the run itself had spent it by then, including requests in transit. */
    wasSpent: (i: number) =>
      part[i] >= 0 &&
      certainly(i, requests.sentMs[i] - fullMs, requests.receivedMs[i] + 2 * clockErrorMs) + costOf(i) > capacity,
    shareSpent: (i: number) =>
      part[i] < 0
        ? 0
        : certainly(i, requests.sentMs[i] - fullAfterMs(window), requests.sentMs[i]) / Math.max(1, capacity),
  }
}
