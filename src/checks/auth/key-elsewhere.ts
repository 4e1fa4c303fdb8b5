import { answersOf } from '../../evidence/evidence.js'
import { judgeEach } from '../answers.js'
import { defineCheck } from '../check.js'
import { failedControl } from '../expect-status.js'
import { breach } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'key-accepted-elsewhere': { where: string; got: number }
  }
}

const needs = { cases: 'keys sent elsewhere', least: 1 }

export const keyElsewhereCheck = defineCheck({
  id: 'auth.key-elsewhere',
  promise: 'A key that is sent only in the query or in a cookie is not accepted.',
  clauses: ['AUTH-9'],
  reads: ['key-elsewhere'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'key-elsewhere', 'control')) ??
    judgeEach(evidence, answersOf(evidence, 'key-elsewhere', 'elsewhere'), needs, (x) =>
      x.response.status < 300
        ? breach('key-accepted-elsewhere', { where: x.credential, got: x.response.status })
        : undefined,
    ),
})
