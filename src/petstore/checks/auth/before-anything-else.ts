import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus } from '../../../checks/framework/expect-status.js'
import { answersOf } from '../../../evidence/evidence.js'
import type { Answered } from '../../../evidence/exchange.js'

const needs = { cases: 'denied requests with something else wrong too', least: 1 }

const nothingElse = 'a valid body, a known pet'

const kinds = Object.fromEntries(
  ['a missing key', 'an invalid key'].flatMap((key) =>
    ['a broken body', 'an unknown pet'].map((wrong) => [`${key} with ${wrong}`, ['key-before-body']]),
  ),
)

/** Of a case that is wrong in two ways the body counts. */
const kindOf = ({ credential, intent: { case: named = '' } }: Answered): string => {
  const key = credential === 'none' ? 'a missing key' : 'an invalid key'
  if (!named.startsWith('a valid body')) return `${key} with a broken body`
  return `${key} with an unknown pet`
}

export const beforeAnythingElse = defineCheck({
  id: 'auth.before-anything-else',
  promise: 'With a missing or invalid key the answer is 401, whatever is wrong with body or pet.',
  clauses: ['AUTH-5'],
  advice: 'Look at the order of the middleware: the key has to be checked before body and path.',
  reads: ['key-before-body'],
  needs,
  judge(evidence) {
    const asked = answersOf(evidence, 'key-before-body', 'denied')
    // A form of credential that is accepted with nothing else wrong is AUTH-1, -2 or -4's breach, not one of order.
    const inOrder = new Set(
      asked.filter((x) => x.intent.case === nothingElse && x.response?.status === 401).map((x) => x.credential),
    )
    const judged = asked.filter((x) => inOrder.has(x.credential) && x.intent.case !== nothingElse)
    return expectStatus(evidence, judged, 401, needs, { kinds, kindOf })
  },
})
