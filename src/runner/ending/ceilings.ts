import type { Shape } from '../../load/schedule.js'

/** What a run may do to its target at most, whatever its probes ask for. */
export interface Ceilings {
  /** Over all keys together. */
  readonly mostRequestsPerSecond?: number
  /** A load ends where more than this share of its answers are 5xx, in percent, and none follows it. */
  readonly mostServerErrorPercent: number
}

/** A target that answers half of a load with 5xx is broken by it, and is spared the rest. */
export const usualCeilings: Ceilings = { mostServerErrorPercent: 50 }

/**
 * A shape slowed down: the same order, none sooner, no two closer than the rate allows. At 10 a second, requests due at
 * 0, 0 and 50 ms are due at 0, 100 and 200 ms.
 */
export const slowedShape = (shape: Shape | undefined, amount: number, perSecond: number): Shape => {
  const due = new Float64Array(amount)
  for (let n = 0; n < amount; n += 1) {
    const wished = shape ? shape(n) : 0
    due[n] = n === 0 ? wished : Math.max(wished, due[n - 1] + 1000 / perSecond)
  }
  return (n) => due[n]
}
