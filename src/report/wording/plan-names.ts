import { planNames } from '../../contract/plans.js'
import { formatDuration } from '../../kit/duration.js'
import type { QuotaRow } from '../model.js'

/** A plan for people: `Free`. What a contract file names stays as it is. */
export const planName = (plan: string): string =>
  planNames.some((each) => each === plan) ? plan.charAt(0).toUpperCase() + plan.slice(1) : plan

/** The window of a quota, as it stands behind a count: `a minute`, or `in 20.0 s`. */
export const windowInWords = ({ window, windowMs }: Pick<QuotaRow, 'window' | 'windowMs'>): string =>
  window === 'minute' || window === 'day' ? `a ${window}` : `in ${formatDuration(windowMs)}`
