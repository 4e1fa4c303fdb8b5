import type { Shape } from '../load/schedule.js'

/** What a run may do to its target at most, whatever its probes ask for. */
export interface Ceilings {
  /** Over all keys together. */
  readonly mostRequestsPerSecond?: number
  /** A load ends where more than this share of its answers are 5xx, in percent, and none follows it. */
  readonly mostServerErrorPercent: number
}

export const usualCeilings: Ceilings = { mostServerErrorPercent: 50 }

/** The same requests in the same order, none of them sooner, and no two closer together than the rate allows. */
export const slowedShape = (shape: Shape | undefined, amount: number, perSecond: number): Shape => {
  const due = new Float64Array(amount)
  for (let n = 0; n < amount; n += 1) {
    const wished = shape ? shape(n) : 0
    due[n] = n === 0 ? wished : Math.max(wished, due[n - 1] + 1000 / perSecond)
  }
  return (n) => due[n]
}
