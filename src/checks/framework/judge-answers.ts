import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../../evidence/exchange.js'
import { isGatewayAnswer, nameOf } from '../readings/answers.js'
import { inconclusive } from './finding.js'
import { type CaseVerdict, judgeCases, type Spread } from './judge-cases.js'
import type { Need } from './needs.js'
import type { SentencesOf } from './sentences.js'

const unanswered = (x: Exchange): string =>
  x.error ? `${x.error.phase}: ${x.error.message}` : `status ${x.response?.status}`

/** The finding where a question was not answered: the connection failed, or a gateway stood in for the service. */
export const noAnswer = (name: string, detail: string, ...open: readonly Exchange[]) =>
  inconclusive('no-answer', { case: name, detail }, ...open)

/** The same where a request that no limit should have met was refused whenever it was asked. */
export const refusedAgain = (name: string, ...refused: readonly Exchange[]) =>
  noAnswer(name, 'status 429, again and again', ...refused)

/**
 * Looks at each answer. With no breach, an unanswered question leaves the promise open; an answer that can't be read is
 * left out; the others have to meet the need.
 */
export const judgeAnswers = <V extends CaseVerdict>(
  evidence: Evidence,
  exchanges: readonly Exchange[],
  need: Need,
  look: (x: Answered) => V,
  { kinds, kindOf }: Spread<Answered> = {},
) => {
  const answered = exchanges.filter((x): x is Answered => isAnswered(x) && !isGatewayAnswer(x))
  const found = judgeCases(evidence, answered, need, look, { kinds, kindOf, witnessOf: (x) => x })
  if (found.verdict === 'fail' || answered.length === exchanges.length) return found
  const open = exchanges.filter((x) => !isAnswered(x) || isGatewayAnswer(x))
  return noAnswer(nameOf(open[0]), unanswered(open[0]), ...open)
}

export const answerSentences = {
  'no-answer': (f) => `${f.case}: no answer that could be judged (${f.detail})`,
} satisfies SentencesOf<ReturnType<typeof noAnswer>>
