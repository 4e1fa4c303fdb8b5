import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus, failedControl } from '../expect-status.js'

export const invalidValues = defineCheck({
  id: 'inventory.invalid-values',
  promise: 'A PATCH body that is no JSON object, or whose quantity is no integer, gets 400.',
  clauses: ['INV-5'],
  reads: ['invalid-bodies'],
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'invalid-bodies', 'control')) ??
    expectStatus(answersOf(evidence, 'invalid-bodies', 'invalid'), 400, 'a PATCH with such a body'),
})
