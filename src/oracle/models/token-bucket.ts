import { countBelow } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { earlyRefusals, type UsageAt } from '../counting/early-refusals.js'
import {
  admittedWithin,
  countTolerance,
  mostWitnesses,
  refusalsUncounted,
  slowestBucket,
  type Tally,
} from '../counting/tally.js'
import { type Explanation, explanationOf, type Model } from './explanation.js'

/**
 * Token bucket that refills evenly, L per W, and holds C (L unless stated otherwise). Refuted if more than C + (b - a)L/W
 * were certainly admitted in some span [a, b], or if a refused request would certainly have found a token.
 *
 * Example, with L = 60 and W = 60 s: a full bucket admits 60 at once and one more each second. So 71 admissions within 10 s
 * refute the model, and 70 do not. Ten seconds after a burst of 60 there are 10 tokens: a refusal then is early. With C = 1
 * it admits one each second: two within 0.9 s refute it, and so does a refusal 1.1 s after the last request.
 */
const explain = onceFor((given: Tally): Explanation => {
  const tally = refusalsUncounted(given)
  const over = overspending(tally)
  const early = earlyAtBucket(tally)
  const witnesses = over.count > 0 ? admittedWithin(tally, over.from, over.to) : []
  return explanationOf(over.count, early.length, [...witnesses, ...early.slice(0, mostWitnesses)])
})

/** The first early refusal is enough. */
const isExplained = onceFor((given: Tally): boolean => {
  const tally = refusalsUncounted(given)
  return overspending(tally).count === 0 && earlyAtBucket(tally, 1).length === 0
})

export const tokenBucket: Model = { explain, isExplained }

const earlyAtBucket = (tally: Tally, most?: number): number[] => {
  const { limit, windowMs, capacity } = tally
  const fading = (sinceMs: number, count: number) => Math.max(0, count - (sinceMs * limit) / windowMs)
  return earlyRefusals(tally, tokensMissing(tally), capacity - 1 + countTolerance / 2, fading, most)
}

/**
 * Counts admissions beyond what a bucket that was full at some earlier instant allows; each one found is left out from then
 * on. Certainly admitted in [a, b] are the answers until b less the requests sent before a.
 */
const overspending = (tally: Tally) => {
  const { admittedSent, admittedReceived, limit, windowMs, capacity } = tally
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
      const start = spent - count - at * perMs - (capacity - 1)
      if (start >= fullest) continue
      fullest = start
      fullestAt = at
    }
    const excess = k + 1 - count - b * perMs - fullest - capacity
    if (excess <= countTolerance) continue
    count++
    if (excess <= worst) continue
    ;[worst, from, to] = [excess, fullestAt, b]
  }
  return { count, from, to }
}

/** A refusal early in the run: whatever others had used before, the bucket held less than one token at `at`. */
interface Emptied {
  readonly at: number
  readonly knownAt: number
  /** The most that the run can have spent until `knownAt`. */
  readonly spent: number
}

/** The refusals until a bucket that was empty at the run's start is full: each one bounds what the bucket held. */
const emptiedAt = (tally: Tally): readonly Emptied[] => {
  const { history, refusedSent, refusedReceived, limit, windowMs, capacity, prior, spentBefore, askedBeyond } = tally
  if (history.priorUntilMs === Number.NEGATIVE_INFINITY) return []
  const fullMs = capacity === limit ? windowMs : (capacity * windowMs) / limit
  const found: Emptied[] = []
  for (let k = 0; k < refusedSent.length; k++) {
    const at = refusedSent[k]
    if (at > history.priorUntilMs + fullMs) break
    // A refusal of several units found fewer than these: as if all but one had been taken.
    const spent = spentBefore[k] - prior + (askedBeyond?.[k] ?? 0)
    found.push({ at, knownAt: refusedReceived[k], spent })
  }
  return found.sort((a, b) => a.knownAt - b.knownAt)
}

/**
 * The most tokens that a bucket can lack at an instant: requests are assumed to spend as late as possible, and the bucket
 * refills until it is full. It never lacks more than it holds: whatever others used before, a bucket left alone for C W/L is
 * full.
 */
const tokensMissing = (tally: Tally): UsageAt => {
  const { spentReceived, capacity, countable } = tally
  const { perMs, each } = slowestBucket(tally)
  const most = Math.max(capacity, countable) * each
  const missing = new Float64Array(spentReceived.length + 1)
  const since = (k: number, ms: number) => Math.max(0, missing[k] - (ms - spentReceived[k - 1]) * perMs)
  for (let k = 1; k <= spentReceived.length; k++) {
    const before = k === 1 ? 0 : since(k - 1, spentReceived[k - 1])
    missing[k] = Math.min(most, before + each)
  }
  return (sent, instant) => {
    const below = countBelow(spentReceived, instant)
    const left = below === 0 ? 0 : since(below, instant)
    return (sent - below) * each + (left > 0 ? left + countTolerance : 0)
  }
}
