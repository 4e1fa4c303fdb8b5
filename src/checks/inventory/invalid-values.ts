import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus, failedControl } from '../expect-status.js'

const needs = { cases: 'PATCHes with such a body', least: 1 }

export const invalidValues = defineCheck({
  id: 'inventory.invalid-values',
  promise: 'A PATCH body that is no JSON object, or whose quantity is no integer, gets 400.',
  clauses: ['INV-5'],
  reads: ['invalid-bodies'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'invalid-bodies', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'invalid-bodies', 'invalid'), 400, needs),
})
