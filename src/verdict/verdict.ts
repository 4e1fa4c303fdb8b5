import type { Witness } from '../kit/witness.js'

/** The five possible verdicts on a check or a clause. */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'observed' | 'not-tested'

/** A value that a finding passes to the report. Plain data, so that a saved run can be reported again. */
export type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

/** What a sentence needs: numbers, names and the like. */
export type Facts = { readonly [name: string]: Fact }

/** What a check concludes, as data: its sentence is made from the code and the facts. */
export interface Finding<Code extends string = string, F extends Facts = Facts, V extends Verdict = Verdict> {
  readonly verdict: V
  readonly code: Code
  readonly facts: F
  /** The exchanges and ledger rows that show it. */
  readonly witnesses: readonly Witness[]
}

/** From the gravest down: a failure outweighs a doubt, a doubt outweighs a proof (as Jepsen merges verdicts). */
const gravity: readonly Verdict[] = ['fail', 'inconclusive', 'pass', 'observed', 'not-tested']

/** The combined verdict of several checks on one clause; without any, it is not tested. */
export const combine = (verdicts: readonly Verdict[]): Verdict =>
  gravity.find((each) => verdicts.includes(each)) ?? 'not-tested'

export type Outcome = 'pass' | 'fail' | 'inconclusive'

interface JudgedClause {
  readonly level: 'must' | 'should' | 'observe'
  readonly verdict: Verdict
}

/**
 * The outcome of a run. It fails if a `must` clause fails (under `strict` also a `should` clause); it is inconclusive if one
 * is left open, or if no `must` clause was proven at all. Nothing proven is never a pass.
 */
export const outcomeOf = (clauses: readonly JudgedClause[], strict: boolean): Outcome => {
  const binding = clauses.filter(({ level }) => level === 'must' || (strict && level === 'should'))
  if (binding.some(({ verdict }) => verdict === 'fail')) return 'fail'
  if (binding.some(({ verdict }) => verdict === 'inconclusive')) return 'inconclusive'
  const proven = clauses.some(({ level, verdict }) => level === 'must' && verdict === 'pass')
  return proven ? 'pass' : 'inconclusive'
}
