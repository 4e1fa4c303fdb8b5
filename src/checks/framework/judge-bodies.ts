import type { Evidence } from '../../evidence/evidence.js'
import { type Answered, type Exchange, headerValues, isAnswered } from '../../evidence/exchange.js'
import { nameOf } from '../readings/answers.js'
import { type Unread, unreadBecause } from '../readings/unread.js'
import { type Broken, breach } from './finding.js'
import { judgeAnswers } from './judge-answers.js'
import type { CaseVerdict, Spread } from './judge-cases.js'
import type { Need } from './needs.js'
import type { SentencesOf } from './sentences.js'

const kindOfAnswer = ({ operation, response }: Answered): string => `${operation} ${response.status}`

/** Of answers of one kind so many have to break off before it is the target's doing. */
const leastBroken = 2

/** The kinds of answers most of which break off: how many, and of how many that nothing of ours cut. */
const breakingOff = (exchanges: readonly Exchange[]): ReadonlyMap<string, { broken: number; answers: number }> => {
  const counts = new Map<string, { broken: number; answers: number }>()
  for (const x of exchanges.filter(isAnswered)) {
    const unread = unreadBecause(x)
    if (unread === 'cut-by-us') continue
    const { broken, answers } = counts.get(kindOfAnswer(x)) ?? { broken: 0, answers: 0 }
    counts.set(kindOfAnswer(x), { broken: broken + (unread === 'broken-off' ? 1 : 0), answers: answers + 1 })
  }
  return new Map([...counts].filter(([, { broken, answers }]) => broken >= leastBroken && broken * 2 > answers))
}

/** The breach that a body is which nobody can read; `left-out` where that may be nobody's or our doing. */
const unreadable = (x: Answered, unread: Unread, breaking: ReturnType<typeof breakingOff>) => {
  const { status, headers } = x.response
  if (unread === 'coded') {
    const coding = headerValues(headers, 'Content-Encoding').join(', ').slice(0, 80)
    return breach('body-undecodable', { case: nameOf(x), status, coding })
  }
  const most = unread === 'broken-off' ? breaking.get(kindOfAnswer(x)) : undefined
  return most ? breach('bodies-break-off', { operation: x.operation ?? 'none', status, ...most }) : 'left-out'
}

/**
 * Looks at each exchange whose promise speaks of the body. What nobody can decode breaks it; so does a body that breaks
 * off, where most of its kind do. One that broke off once, or that a limit of the harness cut, is left out.
 */
export const judgeBodies = <V extends CaseVerdict>(
  evidence: Evidence,
  exchanges: readonly Exchange[],
  need: Need,
  look: (x: Answered) => V,
  spread: Spread<Answered> = {},
) => {
  const breaking = breakingOff(exchanges)
  const lookAtBody = (x: Answered) => {
    const unread = unreadBecause(x)
    return unread === undefined ? look(x) : unreadable(x, unread, breaking)
  }
  return judgeAnswers(evidence, exchanges, need, lookAtBody, spread)
}

export const bodySentences = {
  'body-undecodable': (f) =>
    `${f.case} was answered ${f.status} with a body in a coding that could not be undone (${f.coding})`,
  'bodies-break-off': (f) =>
    `the bodies of ${f.broken} of ${f.answers} answers of ${f.operation} with status ${f.status} broke off before their end`,
} satisfies SentencesOf<Broken<ReturnType<typeof unreadable>>>
