import { answersOf } from '../../evidence/evidence.js'
import { judgeEach, nameOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { breach } from '../finding.js'

const needs = { cases: 'answers to a key that was accepted', least: 1 }

export const validKey = defineCheck({
  id: 'auth.valid-key',
  promise: 'Authorization: Bearer with a valid key is accepted.',
  clauses: ['AUTH-3'],
  reads: ['hello'],
  needs,
  judge(evidence) {
    const hellos = answersOf(evidence, 'hello')
    // A key that is refused everywhere may simply be wrong; one that opens one operation opens the others too.
    const accepted = new Set(hellos.filter((x) => x.response?.status === 200).map((x) => x.key))
    const asked = evidence.exchanges.filter(
      (x) => x.operation !== null && x.credential === 'bearer' && accepted.has(x.key) && x.response?.status !== 429,
    )
    return judgeEach(evidence, asked, needs, (x) =>
      x.response.status === 401
        ? breach('unexpected-status', { case: nameOf(x), expected: 'anything but 401', got: 401 })
        : undefined,
    )
  },
})
