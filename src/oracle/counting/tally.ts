import type { QuotaWindow } from '../../contract/plans.js'
import { countBelow, countUpTo, valuesAt } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { type History, outcomes, type Span } from '../../readings/history.js'
import { roundingMs } from './spans.js'

/** Limiters compare whole counts with products of times: no refutation may hang on the last digits of a product. */
export const countTolerance = 1e-6

/**
 * A history prepared for counting, once for all models. An admitted request has *certainly* spent quota; an unknown one *may*
 * have, and so may others until `priorUntilMs`, up to a whole limit. The sent and received columns are each sorted by
 * themselves, since no model asks which two belong together.
 *
 * Example, with L = 3: of four requests two were admitted, one refused, one lost. `admittedSent` has 2 times, `spentSent` 3
 * (and 3 more, of minus infinity, if the key may have been used before), `refused` one index.
 */
export interface Tally {
  readonly history: History
  readonly limit: number
  readonly windowMs: number
  /** The most that a bucket admits at once: the limit, or the window's `burst`. */
  readonly capacity: number
  /** The most that a window may hold: the limit, or more if a tolerance allows the limiter to admit more. */
  readonly countable: number
  /** Whether the capacity was stated, as for pacing limiters: these count in thousandths of a request. */
  readonly paced: boolean
  /** Admissions that took less than W; a longer one is not certain to be in any window. */
  readonly admittedSent: Float64Array
  readonly admittedReceived: Float64Array
  /** Requests that certainly or possibly spent quota, and a limit's worth of earlier ones if there may be some. */
  readonly spentSent: Float64Array
  readonly spentReceived: Float64Array
  /** How many of these are earlier ones. */
  readonly prior: number
  /** Indices of the refused, by the time they were sent. */
  readonly refused: Uint32Array
  readonly refusedSent: Float64Array
  readonly refusedReceived: Float64Array
  /** For each refusal: how many requests that may have spent quota were sent before its answer came. */
  readonly spentBefore: Uint32Array
  /** For each refusal: the units it asked for beyond the first that `spentBefore` leaves out; null for none. */
  readonly askedBeyond: Uint16Array | null
}

const countOutcomes = (history: History): Uint32Array => {
  const counts = new Uint32Array(4)
  for (let i = 0; i < history.size; i++) counts[history.outcome[i]]++
  return counts
}

type Sorted = Omit<Tally, 'limit' | 'windowMs' | 'capacity' | 'countable' | 'paced'>

/** Rows in the order of their answers: the same for each replay of a history, whatever the outcomes. */
const answeredInOrder = onceFor((receivedMs: Float64Array): Uint32Array => {
  const rows = new Uint32Array(receivedMs.length).map((_, i) => i)
  return rows.sort((a, b) => receivedMs[a] - receivedMs[b])
})

/** Dozens of limits and lengths are tried; those that allow others the same use before the run share the columns. */
const sortedOf = new WeakMap<History, { readonly columns: Sorted; readonly slowestMs: number }>()

/** If no tolerance is stated, others are assumed to have spent no more than this many capacities. */
const mostPriorShare = 2

/** How many requests others may have spent before the run, as far as it matters: as many as can be had at once. */
const priorOf = ({ priorUntilMs }: History, { capacity, countable }: Pick<Tally, 'capacity' | 'countable'>): number =>
  priorUntilMs === Number.NEGATIVE_INFINITY
    ? 0
    : Math.ceil(Math.max(capacity, Math.min(countable, mostPriorShare * capacity)))

/**
 * Sorts and counts what every model needs, in O(n log n) and about 40 bytes an exchange. All but one unit of a refusal of
 * several are counted as possibly spent: a window that counts in one step adds them before it refuses.
 */
export const tallyOf = (
  history: History,
  { limit, windowMs, burst, countable = burst ?? limit }: QuotaWindow,
): Tally => {
  const bounds = { limit, windowMs, capacity: burst ?? limit, countable, paced: burst !== undefined }
  const prior = priorOf(history, bounds)
  const known = sortedOf.get(history)
  if (known && known.columns.prior === prior && known.slowestMs < windowMs) return { ...known.columns, ...bounds }
  const isShown = history.asksForLeft === true
  const { columns, slowestMs } = sorted(history, prior, windowMs, isShown ? 0 : countedUnits(history), isShown)
  if (slowestMs < windowMs) sortedOf.set(history, { columns, slowestMs })
  return { ...columns, ...bounds }
}

/** The same for limiters that never count what they refuse: logs, buckets and sliding counters. */
export const refusalsUncounted = onceFor((tally: Tally): Tally => {
  const { history, prior, windowMs } = tally
  if (!history.asked) return tally
  const { columns } = sorted(history, prior, windowMs, 0, false)
  const beyond = columns.refused.map((i) => unitsBeyond(history, i))
  return { ...tally, ...columns, askedBeyond: Uint16Array.from(beyond) }
})

/** Units that a refused request asked for beyond the first. */
const unitsBeyond = ({ asked }: History, i: number): number => (asked ? Math.max(0, asked[i] - 1) : 0)

const countedUnits = (history: History): number => {
  if (!history.asked) return 0
  return history.outcome.reduce((sum, each, i) => sum + (each === outcomes.refused ? unitsBeyond(history, i) : 0), 0)
}

/** The columns. `units` is how many units of refusals to count as possibly spent: all of them or none. */
const sorted = (history: History, prior: number, windowMs: number, units: number, addsAsked: boolean) => {
  const { sentMs, receivedMs, outcome, size, priorUntilMs } = history
  const counts = countOutcomes(history)
  const spent = prior + counts[outcomes.admitted] + counts[outcomes.unknown] + units
  const spentSent = new Float64Array(spent).fill(Number.NEGATIVE_INFINITY, 0, prior)
  const spentReceived = new Float64Array(spent)
  const admittedSent = new Float64Array(counts[outcomes.admitted])
  const admittedReceived = new Float64Array(counts[outcomes.admitted])
  const refused = new Uint32Array(counts[outcomes.refused])
  const unitsOf = (i: number): number => {
    if (outcome[i] === outcomes.refused) return units === 0 ? 0 : unitsBeyond(history, i)
    return outcome[i] === outcomes.excused ? 0 : 1
  }
  const isBrief = (i: number) => outcome[i] === outcomes.admitted && receivedMs[i] - sentMs[i] < windowMs
  let [s, a, r, slowestMs] = [prior, 0, 0, 0]
  for (let i = 0; i < size; i++) {
    if (outcome[i] === outcomes.refused) refused[r++] = i
    for (let unit = unitsOf(i); unit > 0; unit--) spentSent[s++] = sentMs[i]
    if (isBrief(i)) admittedSent[a++] = sentMs[i]
    if (outcome[i] === outcomes.admitted) slowestMs = Math.max(slowestMs, receivedMs[i] - sentMs[i])
  }
  let [spentSoFar, answered, ofOthers] = [0, 0, prior]
  for (const i of answeredInOrder(receivedMs)) {
    for (; ofOthers > 0 && priorUntilMs <= receivedMs[i]; ofOthers--) spentReceived[spentSoFar++] = priorUntilMs
    for (let unit = unitsOf(i); unit > 0; unit--) spentReceived[spentSoFar++] = receivedMs[i]
    if (isBrief(i)) admittedReceived[answered++] = receivedMs[i]
  }
  spentReceived.fill(priorUntilMs, spentSoFar)
  const columns: Sorted = {
    history,
    admittedSent: admittedSent.subarray(0, a),
    admittedReceived: admittedReceived.subarray(0, a),
    spentSent,
    spentReceived,
    prior,
    refused,
    refusedSent: valuesAt(sentMs, refused),
    refusedReceived: valuesAt(receivedMs, refused),
    spentBefore: refused.map((i) => countUpTo(spentSent, receivedMs[i]) + (addsAsked ? unitsBeyond(history, i) : 0)),
    askedBeyond: null,
  }
  return { columns, slowestMs }
}

/** How many exchanges a refutation names: enough to see it, few enough to read. */
export const mostWitnesses = 4

/** A few of the admissions sent and answered within [from, to]: the first one and the last ones. */
export const admittedWithin = ({ history }: Tally, from: number, to: number): number[] => {
  const found: number[] = []
  for (let i = countBelow(history.sentMs, from); i < history.size && history.sentMs[i] <= to; i++) {
    if (history.outcome[i] === outcomes.admitted && history.receivedMs[i] <= to) found.push(i)
  }
  return found.length <= mostWitnesses ? found : [found[0], ...found.slice(1 - mostWitnesses)]
}

/** The latest instant at which somebody's use before the run can have opened a window. */
export const lastPriorStart = ({ history }: Tally): number => Math.max(history.sentMs[0], history.priorUntilMs)

/**
 * The instant by which a window that was open when the run began has certainly ended; Infinity if nothing shows it. Whatever
 * others had used of it, it admits at most L, and nothing after it has refused. With L = 3: it is over by the answer to the
 * run's fourth admission, and by the answer to the first admission that certainly follows a refusal.
 */
const priorWindowEndedBy = ({ limit, prior, refusedReceived, spentBefore, admittedReceived }: Tally): number => {
  let endedBy = admittedReceived.length > limit ? admittedReceived[limit] : Number.POSITIVE_INFINITY
  for (let k = 0; k < refusedReceived.length; k++) {
    const own = spentBefore[k] - prior
    if (own >= admittedReceived.length) continue
    endedBy = Math.min(endedBy, Math.max(refusedReceived[k], admittedReceived[own]))
  }
  return endedBy
}

/**
 * Intervals that are ruled out are shortened by {@link roundingMs}, so those on the two sides of an instant overlap by twice
 * that.
 */
const overlapMs = 2 * roundingMs

/** Where a window that was open when the run began cannot have started, by what was seen later; at most one arc. */
export const impossiblePriorStarts = (tally: Tally): readonly Span[] => {
  if (tally.history.priorUntilMs === Number.NEGATIVE_INFINITY) return []
  const [from, to] = [priorWindowEndedBy(tally) - tally.windowMs, lastPriorStart(tally) + overlapMs]
  return from < to ? [{ from, to }] : []
}

/** A bucket that refills as slowly as an honest one may. */
interface SlowestBucket {
  /** Inflow, in requests per millisecond. */
  readonly perMs: number
  readonly each: number
}

/** What pacing limiters count in, as a share of a request: nginx uses thousandths for rate and excess. */
const grain = 1e-3
/** They state rates per second or per minute: a rate of a longer window is none of theirs. */
const longestRateMs = 60_000
/** 100 a minute are 1.666... a second; 1 a second must not become 0.999 through its last digit. */
const roundingShare = 1e-9

/**
 * The slowest bucket that is still honest. A capacity stated apart from the limit means a pacing limiter, and those round:
 * nginx truncates its rate to thousandths of a request a second, and the inflow between two admissions to thousandths of a
 * request. 100 a minute, one at a time, are served every 601 ms, not every 600.
 */
export const slowestBucket = (quota: {
  readonly limit: number
  readonly windowMs: number
  readonly paced: boolean
}): SlowestBucket => {
  const { limit, windowMs, paced } = quota
  const perMs = limit / windowMs
  if (!paced) return { perMs, each: 1 }
  const inGrains = Math.floor(((perMs * 1000) / grain) * (1 + roundingShare))
  const cutOff = windowMs <= longestRateMs && inGrains > 0 ? (inGrains * grain) / 1000 : perMs
  return { perMs: Math.min(perMs, cutOff), each: 1 + grain }
}
