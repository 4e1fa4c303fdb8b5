const secondMs = 1_000

/** Tells of each request that goes out, at a moment, whether the second that it ends has as many as are allowed. */
export type RateGuard = (nowMs: number) => boolean

/** Watches that no second has more than so many requests: with 10, that the tenth before is a second ago. */
export const createRateGuard = (most: number): RateGuard => {
  const size = Math.max(1, Math.floor(most))
  const moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  let count = 0
  return (nowMs) => {
    moments[count % size] = nowMs
    count += 1
    // The place that comes next holds the earliest of the last `most`.
    return nowMs - moments[count % size] < secondMs
  }
}
