/** The four plans of the interface (§8). */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const
export type PlanName = (typeof planNames)[number]

/** A plan for people: `Free`. What a contract file names stays as it is. */
export const planName = (plan: string): string =>
  planNames.some((each) => each === plan) ? plan.charAt(0).toUpperCase() + plan.slice(1) : plan

/** The two windows in which requests are counted. */
export const windowNames = ['minute', 'day'] as const
export type WindowName = (typeof windowNames)[number]

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
export const windowMs = (window: WindowName, timeScale = 1): number => unscaledMs[window] / timeScale
