import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus, failedControl } from '../expect-status.js'

const needs = { cases: 'PATCHes with such a body', least: 1 }

export const lackingQuantity = defineCheck({
  id: 'inventory.lacking-quantity',
  promise: 'A PATCH body without quantity, or no body at all, gets 400.',
  clauses: ['INV-4'],
  reads: ['invalid-bodies'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'invalid-bodies', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'invalid-bodies', 'lacking'), 400, needs),
})
