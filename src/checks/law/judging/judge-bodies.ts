import type { Evidence } from '../../../evidence/evidence.js'
import { type Answered, type Exchange, headerValues, isAnswered } from '../../../evidence/exchange.js'
import type { Finding, FindingCode } from '../../../verdict/verdict.js'
import { type AnswerVerdict, judgeEach, nameOf, type Spread } from '../../readings/answers.js'
import { unreadBecause } from '../../readings/unread.js'
import { breach } from '../finding.js'
import type { Need } from '../needs.js'

declare module '../../../verdict/verdict.js' {
  interface FindingFacts {
    'body-undecodable': { case: string; status: number; coding: string }
    'bodies-break-off': { operation: string; status: number; broken: number; answers: number }
  }
}

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

/**
 * Looks at each exchange whose promise speaks of the body. What nobody can decode breaks it; so does a body that breaks
 * off, where most of its kind do. One that broke off once, or that a limit of the harness cut, is left out.
 */
export const judgeBodies = (
  evidence: Evidence,
  exchanges: readonly Exchange[],
  need: Need,
  look: (x: Answered) => AnswerVerdict,
  spread: Spread = {},
): Finding<FindingCode> => {
  const breaking = breakingOff(exchanges)
  const lookAtBody = (x: Answered): AnswerVerdict => {
    const { status, headers } = x.response
    const unread = unreadBecause(x)
    if (unread === undefined) return look(x)
    if (unread === 'coded') {
      const coding = headerValues(headers, 'Content-Encoding').join(', ').slice(0, 80)
      return breach('body-undecodable', { case: nameOf(x), status, coding })
    }
    const most = unread === 'broken-off' ? breaking.get(kindOfAnswer(x)) : undefined
    return most ? breach('bodies-break-off', { operation: x.operation ?? 'none', status, ...most }) : 'left-out'
  }
  return judgeEach(evidence, exchanges, need, lookAtBody, spread)
}
