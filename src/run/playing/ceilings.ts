/** What a run may do to its target at most, whatever its probes ask for. */
export interface Ceilings {
  /** Over all keys together. */
  readonly mostRequestsPerSecond?: number
  /** A load ends where more than this share of its answers are 5xx, in percent, and none follows it. */
  readonly mostServerErrorPercent: number
}

/** A target that answers half of a load with 5xx is broken by it, and is spared the rest. */
export const usualCeilings: Ceilings = { mostServerErrorPercent: 50 }
