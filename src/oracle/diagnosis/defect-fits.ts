import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { countBelow, countUpTo, placesOf } from '../../kit/numbers.js'
import { type History, historyAt, isDecided, outcomes, recast, withOutcomes } from '../../readings/history.js'
import { fullestWindow, overfullStarts } from '../counting/early-refusals.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import { explain, isExplained } from '../models/explain.js'
import { admissibleModels } from '../models/explanation.js'

/** The quota with another limit; a stated bucket size scales with it. */
export const withLimit = (window: QuotaWindow, limit: number): QuotaWindow => {
  const { burst } = window
  if (burst === undefined) return { ...window, limit }
  return { ...window, limit, burst: Math.max(1, Math.round((burst * limit) / window.limit)) }
}

/**
 * The limits that can explain a history at all: no model admits more than 2 L within W, or refuses before L were sent. If 120
 * were admitted within a minute, and the first refusal came when 130 had been sent, they are 60 to 130. A refusal that use
 * before the run may have caused is ignored if there are later ones.
 */
export const plausibleLimits = (history: History, { windowMs, burst }: QuotaWindow) => {
  // These bounds do not hold for a bucket whose size differs from what flows in within a window.
  if (burst !== undefined) return { least: 0, most: Number.POSITIVE_INFINITY }
  const tally = tallyOf(history, { limit: 0, windowMs })
  const own = tally.spentBefore.filter((_, k) => tally.refusedSent[k] >= history.priorUntilMs + windowMs)
  const counted = own.length > 0 ? own : tally.spentBefore
  return {
    least: Math.floor((fullestWindow(overfullStarts(tally))?.count ?? 0) / 2),
    most: counted.reduce((least, each) => Math.min(least, each), Infinity),
  }
}

/** 300 years, longer than any run: a window of this length never gives anything back. */
const foreverMs = 1e13

/** Whether the quota was spent once and nothing of it ever came back. */
export const explainedWithoutReturn = (history: History, limit: number): boolean =>
  isExplained('sliding-log', history, { limit, windowMs: foreverMs })

/** Which requests renew a window, so that it ends W after the last of them. */
export type Renewing = 'refused' | 'admitted' | 'every'

/**
 * Whether windows that end only W after the last request of some kind explain the history. With W = 60 s and a request every
 * 10 s, such a window never ends: after L admissions nothing is admitted any more. Decisions are tried at the start, in the
 * middle and at the end of their intervals.
 */
export const explainedByRenewal = (history: History, window: QuotaWindow, renewedBy: Renewing): boolean =>
  [0, 0.5, 1].some((share) => explainedAtShare(history, window, renewedBy, share))

/** The answered requests in an order of possible decisions: of concurrent ones, the refused come last. */
const inOrder = ({ sentMs, receivedMs, outcome, size }: History): number[] => {
  const at = (i: number) => (outcome[i] === outcomes.refused ? receivedMs[i] : sentMs[i])
  return placesOf(size, (i) => receivedMs[i] !== Number.POSITIVE_INFINITY).sort((a, b) => at(a) - at(b))
}

/** The history of some of the requests only, given by their indices in any order. */
const partOf = (history: History, places: readonly number[]): History =>
  historyAt(
    history,
    places.toSorted((a, b) => history.sentMs[a] - history.sentMs[b]),
  )

/** The same, assuming that every decision falls at this share of its interval. */
const explainedAtShare = (history: History, window: QuotaWindow, renewedBy: Renewing, share: number): boolean => {
  const { sentMs, receivedMs, outcome } = history
  let within: number[] = []
  let endMs = Number.NaN
  for (const i of inOrder(history)) {
    const decidedMs = sentMs[i] + share * (receivedMs[i] - sentMs[i])
    if (Number.isNaN(endMs)) endMs = decidedMs + window.windowMs
    if (outcome[i] === outcomes.admitted && decidedMs >= endMs) {
      if (!explainedWithoutReturn(partOf(history, within), window.limit)) return false
      within = []
      endMs = decidedMs + window.windowMs
    }
    within.push(i)
    const renews = renewedBy === 'every' || outcome[i] === outcomes[renewedBy]
    if (renews) endMs = Math.max(endMs, decidedMs + window.windowMs)
  }
  return explainedWithoutReturn(partOf(history, within), window.limit)
}

/** Into how many cells a window may be divided, and how many phases of the cells are tried. */
const [cellsOfWindow, phasesTried] = [[2, 3, 4, 5, 6, 10, 12, 20, 30, 60], 24] as const

/** The history by a clock that stands still within each cell; each decision may be off by half the distance of two phases. */
const inCells = (history: History, cellMs: number, phase: number): History => {
  const startOf = (ms: number) => cellMs * Math.floor(ms / cellMs - phase)
  const offMs = cellMs / (2 * phasesTried)
  return {
    ...history,
    sentMs: history.sentMs.map((ms) => startOf(ms - offMs)),
    receivedMs: history.receivedMs.map((ms) => startOf(ms + offMs)),
  }
}

/**
 * Whether a log that counts by cells explains the history: it forgets each cell as a whole, so up to its length too soon. With
 * ten cells of 6 s, what was admitted at 0 s and at 5.9 s is forgotten at 60 s. Only for admissions that no log allows.
 */
export const explainedByCells = (history: History, window: QuotaWindow): boolean => {
  if (window.burst !== undefined) return false
  const log = explain('sliding-log', history, window)
  if (log.verdict !== 'refuted' || log.reason !== 'over-admission') return false
  const admitted = recast(history, 'refused', 'excused')
  return cellsOfWindow.some((cells) => {
    const cellMs = window.windowMs / cells
    // Whatever the phase, it never forgets more than a cell too soon.
    if (!isExplained('sliding-log', admitted, { ...window, windowMs: window.windowMs - cellMs })) return false
    // A request counts in its own cell and the ones after it, until as many have begun.
    const counted = { ...window, windowMs: window.windowMs - cellMs / 2 }
    return Array.from({ length: phasesTried }, (_, i) => i / phasesTried).some((phase) =>
      isExplained('sliding-log', inCells(history, cellMs, phase), counted),
    )
  })
}

/**
 * Whether a bucket that adds only whole tokens at each request, and forgets the time of the rest, explains refusals that no
 * bucket allows: the least and the most that it may hold are followed. With 60 a minute and a request every 0.9 s it never
 * refills.
 */
export const explainedByWholeTokens = (history: History, window: QuotaWindow): boolean => {
  if (!admissibleModels(window).includes('token-bucket')) return false
  const bucket = explain('token-bucket', history, window)
  if (bucket.verdict !== 'refuted' || bucket.reason !== 'early-refusal') return false
  const { sentMs, receivedMs, outcome, priorUntilMs } = history
  const { limit, windowMs, capacity } = tallyOf(history, window)
  const flownIn = (ms: number) => Math.floor(Math.max(0, ms * limit) / windowMs)
  let least = priorUntilMs === Number.NEGATIVE_INFINITY ? capacity : 0
  let most = capacity
  let last: number | undefined
  for (const i of inOrder(history)) {
    if (last !== undefined) {
      least = Math.min(capacity, least + flownIn(sentMs[i] - receivedMs[last]))
      // Of two that overlap, nobody knows which was decided first, nor that anything flowed in between.
      const fromMs = sentMs[i] < receivedMs[last] ? receivedMs[last] : sentMs[last]
      most = Math.min(capacity, most + flownIn(receivedMs[i] - fromMs))
    }
    last = i
    if (outcome[i] === outcomes.refused ? least > 0 : outcome[i] === outcomes.admitted && most === 0) return false
    if (outcome[i] === outcomes.refused) most = 0
    else {
      least = Math.max(0, least - 1)
      if (outcome[i] === outcomes.admitted) most -= 1
    }
  }
  return true
}

/** How many earlier admissions a request's window does not count: surely and perhaps, as the decision may be early or late. */
type Passed = (sentMs: number, receivedMs: number) => { readonly surely: number; readonly perhaps: number }

const windowsFrom =
  ({ admittedReceived }: Tally, beganAt: (sentMs: number) => number): Passed =>
  (sentMs) => {
    const passed = countBelow(admittedReceived, beganAt(sentMs))
    return { surely: passed, perhaps: passed }
  }

const sliding =
  ({ admittedSent, admittedReceived, windowMs }: Tally): Passed =>
  (sentMs, receivedMs) => ({
    surely: countBelow(admittedReceived, sentMs - windowMs),
    perhaps: countUpTo(admittedSent, receivedMs - windowMs),
  })

/** Windows opened by the first admission after the last: with W = 60 s, of 0, 20, 75 and 140 s all but the second. */
const opened = (tally: Tally): Passed => {
  const openers: number[] = []
  for (const sentMs of tally.admittedSent) {
    const last = openers.at(-1)
    if (last === undefined || sentMs >= last + tally.windowMs) openers.push(sentMs)
  }
  const starts = Float64Array.from(openers)
  return windowsFrom(tally, (sentMs) => starts[countUpTo(starts, sentMs) - 1])
}

/** The most grids that are tried: each costs a search. */
const mostGrids = 8

/** Grids on which a window begins at an admission that directly follows a refusal. */
const grids = (tally: Tally): Passed[] => {
  const { history, windowMs } = tally
  const { sentMs, receivedMs, outcome } = history
  const decided = placesOf(sentMs.length, (i) => isDecided(outcome[i]))
  const begun = decided.filter((i, place) => {
    const before = decided[place - 1]
    return outcome[i] === outcomes.admitted && outcome[before] === outcomes.refused && receivedMs[before] <= sentMs[i]
  })
  return begun.slice(0, mostGrids).map((i) => {
    const from = sentMs[i]
    return windowsFrom(tally, (sentMs) => from + windowMs * Math.floor((sentMs - from) / windowMs))
  })
}

/**
 * The history with every admission *unknown* that a stale count may have let through: fewer than L were answered before it
 * was sent, and more than L were sent before it was answered. With L = 3: of five requests sent together all may have read a
 * count of 0. Null if a request was admitted although 2 L in its window had been admitted and answered before it was sent: no
 * stale count misses those.
 */
const withoutRaced = ({ history, limit, admittedSent, admittedReceived }: Tally, passed: Passed): History | null => {
  let hasSerialExcess = false
  const without = withOutcomes(history, (each, i) => {
    if (each !== outcomes.admitted) return each
    const before = passed(history.sentMs[i], history.receivedMs[i])
    const answered = countBelow(admittedReceived, history.sentMs[i]) - before.perhaps
    const sent = countUpTo(admittedSent, history.receivedMs[i]) - before.surely
    if (answered >= 2 * limit) hasSerialExcess = true
    return answered < limit && sent > limit ? outcomes.unknown : each
  })
  return hasSerialExcess ? null : without
}

/**
 * Whether the target seems to check its count and raise it in two steps: every admission beyond the limit overlapped those
 * that should have stopped it. Buckets, and grids that no refusal pins down, are not tried: a refill, or a boundary in the
 * middle of the burst, would explain nearly any excess.
 */
export const explainedByCheckThenAct = (history: History, window: QuotaWindow): boolean => {
  const tally = tallyOf(history, window)
  const asked: readonly (readonly [ModelName, Passed])[] = [
    ...grids(tally).map((grid) => ['fixed-window', grid] as const),
    ['fixed-window', sliding(tally)],
    ['fixed-window-first-request', opened(tally)],
    ['sliding-log', sliding(tally)],
  ]
  const admissible = admissibleModels(window)
  return asked.some(([model, passed]) => {
    if (!admissible.includes(model)) return false
    const without = withoutRaced(tally, passed)
    return without !== null && isExplained(model, without, window)
  })
}
