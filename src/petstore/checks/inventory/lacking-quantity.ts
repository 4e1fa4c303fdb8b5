import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus, failedControl } from '../../../checks/framework/expect-status.js'
import { nameOf } from '../../../checks/readings/answers.js'
import { answersOf } from '../../../evidence/evidence.js'

/** The cases that the clause names; others are asked as well. */
const kinds = { 'an empty object': ['invalid-bodies'], 'no body at all': ['invalid-bodies'] }

const needs = { cases: 'PATCHes with such a body', least: 1 }

export const lackingQuantity = defineCheck({
  id: 'inventory.lacking-quantity',
  promise: 'A PATCH body without quantity, or no body at all, gets 400.',
  clauses: ['INV-4'],
  advice: 'Look at how the body of a PATCH is validated: quantity is required.',
  reads: ['invalid-bodies'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'invalid-bodies', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'invalid-bodies', 'lacking'), 400, needs, { kinds, kindOf: nameOf }),
})
