import type { Witness } from '../../kit/witness.js'
import type { Facts, Finding, Verdict } from '../../verdict/verdict.js'

const placeOf = (witness: Witness): Witness =>
  'id' in witness ? { id: witness.id } : { ledger: witness.ledger, row: witness.row }

const finding =
  <V extends Verdict>(verdict: V) =>
  <Code extends string, F extends Facts>(
    code: Code,
    facts: F,
    ...witnesses: readonly Witness[]
  ): Finding<Code, F, V> => ({
    verdict,
    code,
    facts,
    witnesses: witnesses.map(placeOf),
  })

export const pass = finding('pass')
export const fail = finding('fail')
export const inconclusive = finding('inconclusive')
export const observed = finding('observed')
export const notTested = finding('not-tested')

/** A breach that one case shows; it becomes a failure once all cases have been looked at. */
export type Breach<Code extends string = string, F extends Facts = Facts> = Pick<Finding<Code, F>, 'code' | 'facts'>

/** The failure that a breach becomes; nothing else becomes one. */
export type Broken<B> =
  B extends Breach<infer Code, infer F> ? (Code extends string ? Finding<Code, F, 'fail'> : never) : never

export const breach = <Code extends string, F extends Facts>(code: Code, facts: F): Breach<Code, F> => ({ code, facts })

/** The failure of one of several breaches. */
export const broken = <B extends Breach>({ code, facts }: B, ...witnesses: readonly Witness[]): Broken<B> =>
  fail(code, facts, ...witnesses) as never

/** The facts of findings with one of their codes; any facts if they are not known yet. */
type FactsWith<F extends Finding, Code> = Known<Extract<F, { readonly code: Code }>['facts']>
type Known<F> = Facts extends F ? never : F

/** A sentence for each code that the findings may have. */
export type SentencesOf<F extends Finding, Code = F['code']> = {
  readonly [C in Extract<Code, string>]: (facts: FactsWith<F, C>) => string
}
