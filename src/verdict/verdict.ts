import type { Witness } from '../kit/witness.js'

/** The five things that can be said of a check or of a clause. */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'observed' | 'not-tested'

/** A value that a finding carries to the report. Plain data, so that a saved run can be told again. */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

/**
 * The facts behind each code that a check can give. Each check declares its own codes here, next to its judgement
 * (`declare module '../verdict/verdict.js'`), and the report's wording has to have a sentence for each.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the checks
export interface FindingFacts {}

export type FindingCode = keyof FindingFacts & string

/** What a check concludes, as data: the sentence is made in the report. */
export interface Finding<Code extends string = string> {
  readonly verdict: Verdict
  readonly code: Code
  readonly facts: { readonly [name: string]: Fact }
  /** The exchanges and the rows of ledgers that show it. */
  readonly witnesses: readonly Witness[]
}
