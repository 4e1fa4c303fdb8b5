import type { CheckOf, Defined, Judging, Promised } from '../../checks/framework/check.js'
import type { Sentences, SentencesOf } from '../../checks/framework/sentences.js'
import type { Finding } from '../../verdict/verdict.js'
import type { ClientEvidence } from '../waits/client-evidence.js'
import { nothingToJudge, type SharedCode, sharedAdvice, sharedSentences } from './shared-findings.js'

/** A promise that a client keeps, and a pure judgement from arrivals. Its id is `client.` and the name of its file. */
export interface ClientCheck<F extends Finding = Finding> extends CheckOf<ClientEvidence, F> {
  /** What would mend the client, for those codes that ask for it. */
  readonly advice?: Sentences
}

type Advice<F extends Finding> = { readonly advice?: NoInfer<Partial<SentencesOf<F>>> }

/** A check of a client: sentences as {@link defineCheck} asks for them, and advice. */
export const defineClientCheck = <F extends Finding, S>(
  check: Promised & Judging<ClientEvidence, F, S, SharedCode> & Advice<F>,
): Defined<F, ClientCheck<F>> => {
  const { sentences, advice } = check as ClientCheck
  return {
    ...check,
    sentences: { ...sharedSentences, ...sentences },
    advice: { ...sharedAdvice, ...advice },
  } as never
}

/** The same of what a client does once it is refused. Where it shows nothing of that, its judgement is not asked. */
export const defineBackoffCheck = <F extends Finding, S>(
  check: Promised & Judging<ClientEvidence, F, S, SharedCode> & Advice<F>,
): Defined<F, ClientCheck<F>> => {
  const judge = (evidence: ClientEvidence): Finding => {
    const nothing = nothingToJudge(evidence)
    if (!nothing) return check.judge(evidence)
    return check.level === 'observe' ? { ...nothing, verdict: 'not-tested' } : nothing
  }
  return { ...(defineClientCheck(check) as ClientCheck), judge } as never
}
