import { defineCheck } from '../../../checks/framework/check.js'
import { unexpectedStatus } from '../../../checks/framework/expect-status.js'
import { inconclusive } from '../../../checks/framework/finding.js'
import { judgeAnswers } from '../../../checks/framework/judge-answers.js'
import { isGatewayAnswer, operationAnswers } from '../../../checks/readings/answers.js'
import { answersOf, type Evidence } from '../../../evidence/evidence.js'
import { isAnswered } from '../../../evidence/exchange.js'

const needs = { cases: 'answers to a key that was accepted', least: 1 }

/** Keys that some operation, or some load, has answered 200. */
const openedBy = ({ exchanges, ledgers }: Evidence): ReadonlySet<string | null> =>
  new Set([
    ...exchanges.filter((x) => x.credential === 'bearer' && x.response?.status === 200).map(({ key }) => key),
    ...ledgers.filter(({ rows }) => rows.status.includes(200)).map(({ head }) => head.key),
  ])

/** Whoever finds fault with the body or the pet had let the key in; a ban, or a server that broke down, says nothing of it. */
const isAcceptance = (status: number): boolean => status < 300 || status === 400 || status === 404

export const validKey = defineCheck({
  id: 'auth.valid-key',
  promise: 'Authorization: Bearer with a valid key is accepted.',
  clauses: ['AUTH-3'],
  advice: 'Look at how keys are looked up: this one is valid and is not let in on every operation.',
  reads: ['hello'],
  needs,
  judge(evidence) {
    const hellos = answersOf(evidence, 'hello')
    // A key that is refused everywhere may simply be wrong; one that opens one operation opens the others too.
    const accepted = new Set(hellos.filter((x) => x.response?.status === 200).map((x) => x.key))
    // What is not answered, or by a gateway, is no word of the target on the key.
    const asked = operationAnswers(evidence).filter(
      (x) => !isGatewayAnswer(x) && x.credential === 'bearer' && accepted.has(x.key) && x.response.status !== 429,
    )
    const found = judgeAnswers(evidence, asked, needs, (x) => {
      const { status } = x.response
      if (status === 401) return unexpectedStatus(x, 'anything but 401')
      return isAcceptance(status) ? undefined : 'left-out'
    })
    if (found.verdict === 'fail') return found
    // What was given and opened nothing was either no key, or a valid one that was refused: nobody here can tell.
    const opened = openedBy(evidence)
    const shut = hellos.filter(isAnswered).findLast(({ key }) => !opened.has(key))
    return shut ? inconclusive('key-not-accepted', { key: `${shut.key}`, got: shut.response.status }, shut) : found
  },
  sentences: {
    'key-not-accepted': (f) =>
      `the ${f.key} key was never accepted in this run (${f.got}): it is not valid, or the target refuses one that is`,
  },
})
