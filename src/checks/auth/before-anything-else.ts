import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus } from '../expect-status.js'

const needs = { cases: 'denied requests with something else wrong too', least: 1 }

export const beforeAnythingElse = defineCheck({
  id: 'auth.before-anything-else',
  promise: 'With a missing or invalid key the answer is 401, whatever is wrong with body or pet.',
  clauses: ['AUTH-5'],
  reads: ['key-before-body'],
  needs,
  judge(evidence) {
    const asked = answersOf(evidence, 'key-before-body', 'denied')
    // A form of credential that is accepted with nothing else wrong is AUTH-1, -2 or -4's breach, not one of order.
    const inOrder = new Set(
      asked
        .filter((x) => x.intent.case === 'a valid body, a known pet' && x.response?.status === 401)
        .map((x) => x.credential),
    )
    const judged = asked.filter((x) => inOrder.has(x.credential))
    return expectStatus(evidence, judged, 401, needs)
  },
})
