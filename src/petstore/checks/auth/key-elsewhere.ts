import { defineCheck } from '../../../checks/framework/check.js'
import { failedControl } from '../../../checks/framework/expect-status.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeAnswers } from '../../../checks/framework/judge-answers.js'
import { answersOf } from '../../../evidence/evidence.js'
import type { Answered } from '../../../evidence/exchange.js'

const needs = { cases: 'keys sent elsewhere', least: 1 }

/** A limit or a server that broke down had not come to the key. */
const look = ({ response: { status }, credential }: Answered) => {
  if (status < 300) return breach('key-accepted-elsewhere', { where: credential, got: status })
  return status === 429 || status >= 500 ? 'left-out' : undefined
}

export const keyElsewhereCheck = defineCheck({
  id: 'auth.key-elsewhere',
  promise: 'A key that is sent only in the query or in a cookie is not accepted.',
  clauses: ['AUTH-9'],
  advice: 'Look at where the server takes the key from: only the Authorization header may carry it.',
  reads: ['key-elsewhere'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'key-elsewhere', 'control')) ??
    judgeAnswers(evidence, answersOf(evidence, 'key-elsewhere', 'elsewhere'), needs, look, {
      kinds: { 'the query': ['key-elsewhere'], 'a cookie': ['key-elsewhere'] },
      kindOf: ({ credential }) => (credential === 'cookie' ? 'a cookie' : 'the query'),
    }),
  sentences: {
    'key-accepted-elsewhere': (f) =>
      `a key that was sent only as ${f.where.replaceAll('-', ' ')} was accepted (${f.got})`,
  },
})
