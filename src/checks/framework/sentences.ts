import type { Facts, Finding } from '../../verdict/verdict.js'

/** The sentence of a code, made of its facts. */
export type Sentences = Readonly<Record<string, (facts: never) => string>>

/** The facts that findings have with one of their codes. What is not known yet may have any. */
type FactsWith<F extends Finding, Code> = Known<Extract<F, { readonly code: Code }>['facts']>
type Known<F> = Facts extends F ? never : F

/** A sentence for each of the codes that findings may have. */
export type SentencesOf<F extends Finding, Code = F['code']> = {
  readonly [C in Extract<Code, string>]: (facts: FactsWith<F, C>) => string
}
