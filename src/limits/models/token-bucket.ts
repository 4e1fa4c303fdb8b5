import { onceFor } from '../../kit/once-for.js'
import { earlyRefusals, type UsageAt } from '../counting/early-refusals.js'
import { countBelow } from '../counting/sorted-counts.js'
import { admittedWithin, type Tally } from '../counting/tally.js'
import { type Explanation, explanationOf } from './explanation.js'

/** Counts are whole and times are not; no refutation may hang on the last digits of a product. */
const tolerance = 1e-6

/**
 * Token bucket of capacity L that refills evenly, L per W. Refuted where in some span [a, b] more than L + (b - a)L/W
 * were admitted, or where a refusal finds a whole token whatever was spent before it.
 */
export const explainTokenBucket = onceFor((tally: Tally): Explanation => {
  const over = overspending(tally)
  const { limit, windowMs } = tally
  const fading = (sinceMs: number, count: number) => Math.max(0, count - (sinceMs * limit) / windowMs)
  const early = earlyRefusals(tally, tokensMissing(tally), limit - 1 + tolerance / 2, fading)
  const witnesses = over.count > 0 ? admittedWithin(tally, over.from, over.to) : []
  return explanationOf(over.count, early.length, [...witnesses, ...early.slice(0, 4)])
})

/**
 * Admissions beyond what a full bucket at any earlier instant would have allowed, each left out as it is found. Those
 * in [a, b] are at least the answers until b less the requests before a.
 */
const overspending = (tally: Tally) => {
  const { admittedSent, admittedReceived, limit, windowMs } = tally
  const perMs = limit / windowMs
  const emptied = emptiedAt(tally)
  let nextEmptied = 0
  let [count, next, from, to] = [0, 0, 0, 0]
  let fullest = Number.POSITIVE_INFINITY
  let fullestAt = 0
  let worst = 0
  for (let k = 0; k < admittedReceived.length; k++) {
    const b = admittedReceived[k]
    for (; next < admittedSent.length && admittedSent[next] <= b; next++) {
      const start = next - count - admittedSent[next] * perMs
      if (start >= fullest) continue
      fullest = start
      fullestAt = admittedSent[next]
    }
    for (; nextEmptied < emptied.length && emptied[nextEmptied].knownAt <= b; nextEmptied++) {
      const { spent, at } = emptied[nextEmptied]
      const start = spent - count - at * perMs - (limit - 1)
      if (start >= fullest) continue
      fullest = start
      fullestAt = at
    }
    const excess = k + 1 - count - b * perMs - fullest - limit
    if (excess <= tolerance) continue
    count++
    if (excess <= worst) continue
    ;[worst, from, to] = [excess, fullestAt, b]
  }
  return { count, from, to }
}

/** A refusal that the use before the run may explain: from `at` on there was less than one token beside what came back. */
interface Emptied {
  readonly at: number
  readonly knownAt: number
  /** What can have been spent in the run until `knownAt`. */
  readonly spent: number
}

/** However much had been used before: a bucket that refused for lack of a token was not full. */
const emptiedAt = ({ history, refused, limit, windowMs, spentBefore }: Tally): readonly Emptied[] => {
  if (history.priorUntilMs === Number.NEGATIVE_INFINITY) return []
  const found: Emptied[] = []
  for (let k = 0; k < refused.length; k++) {
    const at = history.sentMs[refused[k]]
    if (at > history.priorUntilMs + windowMs) break
    // What came before the run counts as a whole limit in `spentBefore`.
    found.push({ at, knownAt: history.receivedMs[refused[k]], spent: spentBefore[k] - limit })
  }
  return found.sort((a, b) => a.knownAt - b.knownAt)
}

/**
 * The most tokens that can be missing at an instant: for some a, all that can have been spent since a, less what has
 * come back since. Either a is the instant itself (a whole number), or the answer of a spending.
 */
const tokensMissing = ({ spentReceived, limit, windowMs }: Tally): UsageAt => {
  const perMs = limit / windowMs
  const best = new Float64Array(spentReceived.length + 1).fill(Number.NEGATIVE_INFINITY)
  for (let k = 0; k < spentReceived.length; k++) best[k + 1] = Math.max(best[k], spentReceived[k] * perMs - k)
  return (sent, instant) => {
    const below = countBelow(spentReceived, instant)
    return Math.max(sent - below, sent + best[below] - instant * perMs + tolerance)
  }
}
