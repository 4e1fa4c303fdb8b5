import { bucketModels, type ModelName, modelNames } from '../../contract/limiter-models.js'
import { mostAtOnce, type QuotaWindow } from '../../contract/plans.js'
import type { Tally } from '../counting/tally.js'

export interface Refutation {
  readonly verdict: 'refuted'
  readonly reason: 'over-admission' | 'early-refusal' | 'both'
  /** Indices into the history: a few exchanges that no choice of instants reconciles with the model. */
  readonly witnesses: readonly number[]
  /** How many admissions would have to be left out for the model to explain the rest, at its best fit. */
  readonly overAdmitted: number
  /** How many refusals would have to be left out there. */
  readonly earlyRefused: number
}

/** Whether some limiter of a model, deciding at some instants, produces a history. */
export type Explanation = { readonly verdict: 'explained' } | Refutation

/** How one kind of limiter is recognised. */
export interface Model {
  readonly explain: (tally: Tally) => Explanation
  /** The same verdict, sooner: the refuting exchanges are not needed. */
  readonly isExplained: (tally: Tally) => boolean
}

export const explained: Explanation = { verdict: 'explained' }

/** Refuted if anything would have to be left out, else explained. */
export const explanationOf = (
  overAdmitted: number,
  earlyRefused: number,
  witnesses: readonly number[],
): Explanation => {
  if (overAdmitted <= 0 && earlyRefused <= 0) return explained
  const reason = overAdmitted <= 0 ? 'early-refusal' : earlyRefused <= 0 ? 'over-admission' : 'both'
  return { verdict: 'refuted', reason, witnesses, overAdmitted, earlyRefused }
}

/**
 * The limiters that a quota admits, in the order of {@link modelNames}: those that its contract names, and of these only
 * buckets if it states a bucket size. Throws if none is left, which no contract may say.
 */
export const admissibleModels = ({ models: named = modelNames, burst }: QuotaWindow): readonly ModelName[] => {
  const fitting = burst === undefined ? modelNames : bucketModels
  const admissible = modelNames.filter((name) => named.includes(name) && fitting.includes(name))
  if (admissible.length === 0) throw new Error('a quota must permit some limiter, and a bucket if it has a burst')
  return admissible
}

/** Whether neither side of a quota has a tolerance. */
export const isExact = ({ exact }: QuotaWindow): boolean =>
  exact === undefined || (exact.over === 0 && exact.early === 0)

/** The exact quota beyond which no limiter within the tolerance admits; null if over-admission is not forbidden. */
export const mostAllowed = (window: QuotaWindow): QuotaWindow | null => {
  const { over } = window.exact ?? { over: 0 }
  return over === null ? null : scaled(window, 1 + over, (value) => Math.ceil(value - lastDigits))
}

/** The exact quota that every limiter within the tolerance grants; null if it need not grant anything. */
export const leastGranted = (window: QuotaWindow): QuotaWindow | null => {
  const { early } = window.exact ?? { early: 0 }
  if (early === null) return null
  const most = mostAllowed(window)
  const countable = most ? mostAtOnce(most) : Number.POSITIVE_INFINITY
  return { ...scaled(window, 1 - early, (value) => Math.max(1, Math.floor(value + lastDigits))), countable }
}

/** 100 x 1.1 is 110.00000000000001, which must not allow 111. */
const lastDigits = 1e-9

/** A quota of another size: counts are rounded in favour of the target; a bucket's inflow need not be whole. */
const scaled = (window: QuotaWindow, by: number, whole: (value: number) => number): QuotaWindow => {
  const { exact: _, ...given } = window
  const { limit, burst } = given
  if (by === 1) return given
  return burst === undefined
    ? { ...given, limit: whole(limit * by) }
    : { ...given, limit: limit * by, burst: whole(burst * by) }
}
