import type { Exactness } from './api-contract.js'
import type { ModelName } from './limiter-models.js'

/** The four plans of the interface (§8). */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const
export type PlanName = (typeof planNames)[number]

/** A plan's name for people: `Free`. Names from a contract file stay as they are. */
export const planName = (plan: string): string =>
  planNames.some((each) => each === plan) ? plan.charAt(0).toUpperCase() + plan.slice(1) : plan

/** The two windows in which requests are counted. */
export type WindowName = 'minute' | 'day'

/** At most `limit` requests per `windowMs`: what a limiter enforces, and what a history is checked against. */
export interface QuotaWindow {
  readonly limit: number
  readonly windowMs: number
  /** The capacity of a bucket, if not the limit; it refills by `limit` per `windowMs`. */
  readonly burst?: number
  /** A longer window in which the same requests count too. */
  readonly longer?: QuotaWindow
  /** The limiters that the contract allows; if absent, all. */
  readonly models?: readonly ModelName[]
  /** The most that a limiter may hold as counted, if a tolerance lets it admit more than it must. */
  readonly countable?: number
  /** How exact the quota is; if absent, exact. */
  readonly exact?: Exactness
}

/** The most that a quota lets through at once. */
export const mostAtOnce = ({ limit, burst = limit }: QuotaWindow): number => burst

/** Requests allowed in each window. */
export interface Quota {
  readonly minute: number
  readonly day: number
}

/** The quotas that the interface fixes. Enterprise quotas are agreed per customer, so they are options of each run. */
export const fixedQuotas: Readonly<Record<Exclude<PlanName, 'enterprise'>, Quota>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
}

const unscaledMs: Readonly<Record<WindowName, number>> = { minute: 60_000, day: 86_400_000 }

/** The length of a window in milliseconds. With a time scale of 10 a minute lasts 6 s; limits do not change. */
export const windowLengthMs = (window: WindowName, timeScale = 1): number => unscaledMs[window] / timeScale

/** What a quota allows one key, in its own window and in a longer one. */
export interface KeyQuota {
  readonly limit: number
  /** Requests in the longer window; `noLongerLimit` if there is none. */
  readonly longer: number
}

/** A Petstore plan's numbers as the limits of its key. Saved runs use `minute` and `day`, whatever their contract. */
export const keyQuotaOf = ({ minute, day }: Quota): KeyQuota => ({ limit: minute, longer: day })

/** The limits of a key, under the names of saved runs and reports. */
export const savedQuotaOf = ({ limit, longer }: KeyQuota): Quota => ({ minute: limit, day: longer })

/** A limit that no run reaches, for quotas without a longer window. */
export const noLongerLimit = Number.MAX_SAFE_INTEGER

/**
 * Reset (§8.2) and Retry-After (§8.3) are in whole seconds: 4.3 s ahead may be written as 4 or as 5. So their value may be
 * off by up to a second in either direction.
 */
export const secondMs = 1_000

/** How much a wait may exceed a window: one second for rounding up, and one that THROTTLE-5 allows. */
export const waitSlackMs = 2 * secondMs

/** Windows shorter than this, in demos at a time scale, have too few whole seconds to tell their parts apart. */
export const secondsMatterMs = 3 * secondMs
