import { type History, outcomes, type QuotaWindow } from '../history.js'
import { countBelow, countUpTo } from './sorted-counts.js'

/** A limiter compares whole counts with products of times: no refutation hangs on the last digits of a product. */
export const countTolerance = 1e-6

/**
 * A history prepared for counting, once for all models. What was admitted has *certainly* spent quota; what is unknown
 * *may* have, and so may others until `priorUntilMs`, a whole limit. Columns of sent and of received times are sorted
 * each by itself, for no model asks which two belong together.
 *
 * Example, with L = 3: of four requests two were admitted, one refused, one lost. `admittedSent` has 2 times,
 * `spentSent` 3 (and 3 more, of minus infinity, where the key may have been used before), `refused` one index.
 */
export interface Tally {
  readonly history: History
  readonly limit: number
  readonly windowMs: number
  /** Admissions that took less than W; one that took longer is certain to be in no window. */
  readonly admittedSent: Float64Array
  readonly admittedReceived: Float64Array
  /** Requests that certainly or possibly spent quota, and a limit's worth of earlier ones where there may be some. */
  readonly spentSent: Float64Array
  readonly spentReceived: Float64Array
  /** Indices of the refused, by the time they were sent. */
  readonly refused: Uint32Array
  /** For each refused one: how many that may have spent quota were sent before its answer was there. */
  readonly spentBefore: Uint32Array
}

const countOutcomes = (history: History): Uint32Array => {
  const counts = new Uint32Array(4)
  for (let i = 0; i < history.size; i++) counts[history.outcome[i]]++
  return counts
}

/** What does not depend on the limit and the length of the window. */
type Sorted = Omit<Tally, 'limit' | 'windowMs'>

/** Diagnosis tries dozens of limits and lengths; where nothing was used before the run, they all share the columns. */
const sortedOf = new WeakMap<History, { readonly columns: Sorted; readonly slowestMs: number }>()

/** Sorts and counts what every model asks for, in O(n log n) and about 40 bytes an exchange. */
export const tallyOf = (history: History, { limit, windowMs }: QuotaWindow): Tally => {
  const known = sortedOf.get(history)
  if (known && known.slowestMs < windowMs) return { ...known.columns, limit, windowMs }
  const prior = history.priorUntilMs === Number.NEGATIVE_INFINITY ? 0 : limit
  const { columns, slowestMs } = sorted(history, prior, windowMs)
  if (prior === 0 && slowestMs < windowMs) sortedOf.set(history, { columns, slowestMs })
  return { ...columns, limit, windowMs }
}

const sorted = (history: History, prior: number, windowMs: number) => {
  const { sentMs, receivedMs, outcome, size, priorUntilMs } = history
  const counts = countOutcomes(history)
  const spent = prior + counts[outcomes.admitted] + counts[outcomes.unknown]
  const spentSent = new Float64Array(spent).fill(Number.NEGATIVE_INFINITY, 0, prior)
  const spentReceived = new Float64Array(spent).fill(priorUntilMs, 0, prior)
  const admittedSent = new Float64Array(counts[outcomes.admitted])
  const admittedReceived = new Float64Array(counts[outcomes.admitted])
  const refused = new Uint32Array(counts[outcomes.refused])
  let [s, a, r, slowestMs] = [prior, 0, 0, 0]
  for (let i = 0; i < size; i++) {
    if (outcome[i] === outcomes.refused) refused[r++] = i
    if (outcome[i] !== outcomes.admitted && outcome[i] !== outcomes.unknown) continue
    spentSent[s] = sentMs[i]
    spentReceived[s++] = receivedMs[i]
    if (outcome[i] !== outcomes.admitted) continue
    slowestMs = Math.max(slowestMs, receivedMs[i] - sentMs[i])
    if (receivedMs[i] - sentMs[i] >= windowMs) continue
    admittedSent[a] = sentMs[i]
    admittedReceived[a++] = receivedMs[i]
  }
  spentReceived.sort()
  const columns: Sorted = {
    history,
    admittedSent: admittedSent.subarray(0, a),
    admittedReceived: admittedReceived.subarray(0, a).sort(),
    spentSent,
    spentReceived,
    refused,
    spentBefore: refused.map((i) => countUpTo(spentSent, receivedMs[i])),
  }
  return { columns, slowestMs }
}

/** Exchanges that are named for a refutation: enough to see it by, few enough to read. */
export const mostWitnesses = 4

/** A few of the requests that were admitted with their whole interval in [from, to]: the first, and the last ones. */
export const admittedWithin = ({ history }: Tally, from: number, to: number): number[] => {
  const found: number[] = []
  for (let i = countBelow(history.sentMs, from); i < history.size && history.sentMs[i] <= to; i++) {
    if (history.outcome[i] === outcomes.admitted && history.receivedMs[i] <= to) found.push(i)
  }
  return found.length <= mostWitnesses ? found : [found[0], ...found.slice(1 - mostWitnesses)]
}
