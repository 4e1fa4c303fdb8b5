import { onceFor } from '../../kit/once-for.js'
import { earlyRefusals, type UsageAt } from '../counting/early-refusals.js'
import { countBelow } from '../counting/sorted-counts.js'
import { admittedWithin, countTolerance, mostWitnesses, type Tally } from '../counting/tally.js'
import { type Explanation, explanationOf } from './explanation.js'

/**
 * Token bucket of capacity L that refills evenly, L per W. Refuted where more than L + (b - a)L/W were certainly
 * admitted in some span [a, b], or where a refused request would certainly have found a token.
 *
 * Example, with L = 60 and W = 60 s: a full bucket admits 60 at once and one more each second. So 71 admissions within
 * 10 s refute the model, and 70 do not. Ten seconds after a burst of 60 there are 10 tokens: a refusal then is early.
 */
export const explainTokenBucket = onceFor((tally: Tally): Explanation => {
  const over = overspending(tally)
  const { limit, windowMs } = tally
  const fading = (sinceMs: number, count: number) => Math.max(0, count - (sinceMs * limit) / windowMs)
  const early = earlyRefusals(tally, tokensMissing(tally), limit - 1 + countTolerance / 2, fading)
  const witnesses = over.count > 0 ? admittedWithin(tally, over.from, over.to) : []
  return explanationOf(over.count, early.length, [...witnesses, ...early.slice(0, mostWitnesses)])
})

/**
 * Counts admissions beyond what a bucket that was full at any earlier instant allows, and leaves each out once it is
 * found. Certainly admitted in [a, b] are the answers until b less the requests sent before a.
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
    if (excess <= countTolerance) continue
    count++
    if (excess <= worst) continue
    ;[worst, from, to] = [excess, fullestAt, b]
  }
  return { count, from, to }
}

/** A refusal early in the run: however much others had used before, at `at` the bucket held less than one token. */
interface Emptied {
  readonly at: number
  readonly knownAt: number
  /** What can have been spent in the run until `knownAt`. */
  readonly spent: number
}

/** The refusals within W of the run's start, where the key may have been used: each bounds what was in the bucket. */
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
 * The most tokens that a bucket can lack at an instant: for some earlier instant a, all that can have been spent since
 * a less what came back since. The a that gives the most is the instant itself, or the answer to some admission.
 */
const tokensMissing = ({ spentReceived, limit, windowMs }: Tally): UsageAt => {
  const perMs = limit / windowMs
  const best = new Float64Array(spentReceived.length + 1).fill(Number.NEGATIVE_INFINITY)
  for (let k = 0; k < spentReceived.length; k++) best[k + 1] = Math.max(best[k], spentReceived[k] * perMs - k)
  return (sent, instant) => {
    const below = countBelow(spentReceived, instant)
    return Math.max(sent - below, sent + best[below] - instant * perMs + countTolerance)
  }
}
