import type { Exactness } from './api-contract.js'
import type { ModelName } from './limiter-models.js'

/** The four plans of the interface (§8). */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const
export type PlanName = (typeof planNames)[number]

/** A plan for people: `Free`. What a contract file names stays as it is. */
export const planName = (plan: string): string =>
  planNames.some((each) => each === plan) ? plan.charAt(0).toUpperCase() + plan.slice(1) : plan

/** The two windows in which requests are counted. */
const windowNames = ['minute', 'day'] as const
export type WindowName = (typeof windowNames)[number]

/** At most `limit` requests per `windowMs`: what a limiter keeps, and what a history is held to. */
export interface QuotaWindow {
  readonly limit: number
  readonly windowMs: number
  /** What a bucket holds at most, where that is not the limit: `limit` per `windowMs` flow in. */
  readonly burst?: number
  /** The longer window beside it, in which the same requests count. */
  readonly longer?: QuotaWindow
  /** The limiters that the contract admits; all where it names none. */
  readonly models?: readonly ModelName[]
  /** The most that a limiter may have counted at once, where a tolerance lets it admit more than it has to grant. */
  readonly countable?: number
  /** How exact the quota is meant to be; absent: exact. */
  readonly exact?: Exactness
}

/** The most that a quota lets through at once. */
export const mostAtOnce = ({ limit, burst = limit }: QuotaWindow): number => burst

/** Requests allowed in each window. */
export interface Quota {
  readonly minute: number
  readonly day: number
}

/** The quotas that the interface fixes. Enterprise quotas are agreed one by one, so they are told to each run. */
export const fixedQuotas: Readonly<Record<Exclude<PlanName, 'enterprise'>, Quota>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
}

const unscaledMs: Readonly<Record<WindowName, number>> = { minute: 60_000, day: 86_400_000 }

/** The length of a window in milliseconds. A time scale of 10 makes a minute last 6 s; limits stay. */
export const windowLengthMs = (window: WindowName, timeScale = 1): number => unscaledMs[window] / timeScale

/** What a quota allows one key: in its own window, and in the longer one beside it. */
export interface KeyQuota {
  readonly limit: number
  /** Requests in the longer window beside it; `noLongerLimit` where there is none. */
  readonly longer: number
}

/** Petstore's numbers of a plan as the limits of its key. Runs are saved with these names, whatever their contract. */
export const keyQuotaOf = ({ minute, day }: Quota): KeyQuota => ({ limit: minute, longer: day })

/** The limits of a key under the names with which a run is saved and shown. */
export const savedQuotaOf = ({ limit, longer }: KeyQuota): Quota => ({ minute: limit, day: longer })

/** A limit that no run reaches, for where a quota has no longer window beside its own. */
export const noLongerLimit = Number.MAX_SAFE_INTEGER

/**
 * Reset (§8.2) and Retry-After (§8.3) name whole seconds: a moment that is 4.3 s ahead is named as 4 or as 5. So what they
 * name stands for a second, before it or after it.
 */
export const secondMs = 1_000

/** How much longer than a window a wait may be: rounded up to whole seconds it is one more, and one is allowed (THROTTLE-5). */
export const waitSlackMs = 2 * secondMs

/** Windows shorter than this, of demonstrations at a time scale, have too few whole seconds to tell their parts apart. */
export const secondsMatterMs = 3 * secondMs
