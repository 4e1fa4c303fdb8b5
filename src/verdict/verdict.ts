import type { Witness } from '../kit/witness.js'

/** The five things that can be said of a check or of a clause. */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'observed' | 'not-tested'

/** A value that a finding carries to the report. Plain data, so that a saved run can be told again. */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

/** What a sentence needs to be told: numbers, names and their like. */
export type Facts = { readonly [name: string]: Fact }

/** What a check concludes, as data: its sentence is made of the code and the facts. */
export interface Finding<Code extends string = string, F extends Facts = Facts, V extends Verdict = Verdict> {
  readonly verdict: V
  readonly code: Code
  readonly facts: F
  /** The exchanges and the rows of ledgers that show it. */
  readonly witnesses: readonly Witness[]
}
