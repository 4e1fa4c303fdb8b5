import type { PlanName } from '../../src/contract/plans.js'
import type { Allowance } from '../limiters/limiter.js'

/** A window in which the requests of a subject are counted. */
export interface QuotaWindow extends Allowance {
  /** `minute` or `day`; the quota's id where a contract file names its quotas. */
  readonly name: string
}

/** The most that can be left in a window. */
export const mostLeft = ({ limit, capacity }: QuotaWindow): number => capacity ?? limit

/** Somebody who sends requests: a key, or an address that has shown none. */
export interface Subject {
  readonly id: string
  /** Undefined where no valid key was shown. */
  readonly plan?: PlanName
  readonly windows: readonly QuotaWindow[]
  /** Refused requests in a row that set off a ban; undefined for those who are never banned. */
  readonly ban?: BanRule
}

/** A ban after so many refused requests in a row, the last at most `withinMs` after the first. */
export interface BanRule {
  readonly threshold: number
  readonly withinMs: number
  readonly lengthMs: number
}
