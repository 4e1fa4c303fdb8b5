/**
 * The shape of a load: when its n-th request (from 0) is due, in milliseconds since the load's start. Pure, never
 * falls with n, and is never told how long anything took: a slow target does not slow the plan.
 */
export type Shape = (n: number) => number

/** Evenly spaced, the first at once. From below one a minute to thousands a second. */
export const constantRate =
  (perSecond: number): Shape =>
  (n) =>
    (n * 1000) / perSecond

/** Several bursts: each of its `amount` is due at `atMs`. What comes after the last is due with it. */
export const batches = (each: readonly { readonly atMs: number; readonly amount: number }[]): Shape => {
  const ends = each.map((_, index) => each.slice(0, index + 1).reduce((sum, { amount }) => sum + amount, 0))
  return (n) => {
    const index = ends.findIndex((end) => n < end)
    return (each.at(index) ?? { atMs: 0 }).atMs
  }
}

/** Constant rates one after the other; the last one lasts as long as there are requests. A rate of 0 is a pause. */
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
 * Any shape, given as how many requests are due up to an elapsed time: `hits` never falls, and grows without bound.
 * The n-th is due when `hits` first exceeds n, found to a microsecond by halving.
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
    while (high - low > 0.001) {
      const middle = (low + high) / 2
      if (hits(middle) > n) high = middle
      else low = middle
    }
    return high
  }

/** A year: a shape that has not got to a request by then never will. */
const longestLoadMs = 366 * 24 * 3600 * 1000
