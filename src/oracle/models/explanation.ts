export interface Refutation {
  readonly verdict: 'refuted'
  readonly reason: 'over-admission' | 'early-refusal' | 'both'
  /** Indices into the history: a few exchanges that no choice of instants reconciles with the model. */
  readonly witnesses: readonly number[]
  /** How many admissions would have to be left out for the model to explain the rest, where it comes closest. */
  readonly overAdmitted: number
  /** How many refusals would have to be left out there. */
  readonly earlyRefused: number
}

/** Whether some limiter of a model, deciding at some instants, produces a history. */
export type Explanation = { readonly verdict: 'explained' } | Refutation

export const explained: Explanation = { verdict: 'explained' }

/** Refuted where anything would have to be left out, explained where nothing would. */
export const explanationOf = (
  overAdmitted: number,
  earlyRefused: number,
  witnesses: readonly number[],
): Explanation => {
  if (overAdmitted <= 0 && earlyRefused <= 0) return explained
  const reason = overAdmitted <= 0 ? 'early-refusal' : earlyRefused <= 0 ? 'over-admission' : 'both'
  return { verdict: 'refuted', reason, witnesses, overAdmitted, earlyRefused }
}
