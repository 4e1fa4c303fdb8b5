import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus, failedControl } from '../expect-status.js'

export const schemeCaseCheck = defineCheck({
  id: 'auth.scheme-case',
  promise: 'The name of the Bearer scheme is accepted in lower and in upper case.',
  clauses: ['AUTH-7'],
  reads: ['scheme-case'],
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'scheme-case', 'control')) ??
    expectStatus(answersOf(evidence, 'scheme-case', 'other-case'), 200, 'a request with the scheme in another case'),
})
