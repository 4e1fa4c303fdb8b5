/**
 * The shape of a load: when its n-th request (from 0) is due, in milliseconds since the load's start. It never falls
 * with n, and knows nothing of answers: a slow target does not slow the plan. Two a second are due at 0, 500, 1000 ms
 * and so on.
 */
export type Shape = (n: number) => number

/** Evenly spaced, the first at once: from less than one a minute to thousands a second. */
export const constantRate =
  (perSecond: number): Shape =>
  (n) =>
    (n * 1000) / perSecond

/** Several bursts: the requests of each are all due at its `atMs`. Requests beyond the last burst are due with it. */
export const batches = (each: readonly { readonly atMs: number; readonly amount: number }[]): Shape => {
  const ends = each.map((_, index) => each.slice(0, index + 1).reduce((sum, { amount }) => sum + amount, 0))
  return (n) => {
    const index = ends.findIndex((end) => n < end)
    return (each.at(index) ?? { atMs: 0 }).atMs
  }
}

/**
 * Constant rates in turn, the last for as long as there are requests. A rate of 0 is a pause: 10 a second for 3 s, then
 * 0 for 2 s, then 1 a second.
 */
export const rateSteps = (steps: readonly { readonly perSecond: number; readonly durationMs: number }[]): Shape => {
  const last = steps.at(-1)
  if (!last || !(last.perSecond > 0)) throw new RangeError('the last of the steps needs a rate above 0')
  return (n) => {
    let startMs = 0
    let left = n
    for (const { perSecond, durationMs } of steps.slice(0, -1)) {
      const hits = (perSecond * durationMs) / 1000
      if (left < hits) return startMs + (left * 1000) / perSecond
      left -= hits
      startMs += durationMs
    }
    return startMs + (left * 1000) / last.perSecond
  }
}

/**
 * A shape from the number of requests that are due by an elapsed time, a function that never falls and grows without
 * bound. The n-th is due when it first exceeds n, found to a microsecond by halving. `(ms) => ms / 500` is two a
 * second.
 */
export const shapeOfHits =
  (hits: (elapsedMs: number) => number): Shape =>
  (n) => {
    if (hits(0) > n) return 0
    let high = 1
    while (hits(high) <= n) {
      high *= 2
      if (high > longestLoadMs) throw new RangeError(`request ${n} is never due`)
    }
    let low = 0
    while (high - low > finestMs) {
      const middle = (low + high) / 2
      if (hits(middle) > n) high = middle
      else low = middle
    }
    return high
  }

/** A microsecond, which is what a ledger records. */
const finestMs = 0.001

/** A year: a shape that has not got to a request by then never will. */
const longestLoadMs = 366 * 24 * 3600 * 1000
