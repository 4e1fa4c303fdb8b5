import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus } from '../expect-status.js'

export const unknownKeyCheck = defineCheck({
  id: 'auth.unknown-key',
  promise: 'Each of the four operations with a well-formed but unknown key answers 401.',
  clauses: ['AUTH-2'],
  reads: ['bad-keys'],
  judge: (evidence) => expectStatus(answersOf(evidence, 'bad-keys', 'unknown-key'), 401, 'such a request'),
})
