import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus, failedControl } from '../../../checks/framework/expect-status.js'
import { answersOf } from '../../../evidence/evidence.js'

const needs = { cases: 'requests with the scheme in another case', least: 1 }

const kinds = { 'lower case scheme': ['scheme-case'], 'upper case scheme': ['scheme-case'] }

export const schemeCaseCheck = defineCheck({
  id: 'auth.scheme-case',
  promise: 'The name of the Bearer scheme is accepted in lower and in upper case.',
  clauses: ['AUTH-7'],
  advice: 'Look at how the header is parsed: the word Bearer is to be compared without regard to case.',
  reads: ['scheme-case'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'scheme-case', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'scheme-case', 'other-case'), 200, needs, {
      kinds,
      kindOf: ({ credential }) => credential.replaceAll('-', ' '),
    }),
})
