import type { PlanName, WindowName } from '../../src/contract/plans.js'

/** A window in which the requests of a subject are counted. */
export interface QuotaWindow {
  readonly name: WindowName
  readonly limit: number
  readonly lengthMs: number
}

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
