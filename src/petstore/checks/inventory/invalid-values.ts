import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus, failedControl } from '../../../checks/framework/expect-status.js'
import { nameOf } from '../../../checks/readings/answers.js'
import { answersOf } from '../../../evidence/evidence.js'

/** The cases that the clause names; others are asked as well. */
const named = [
  'quantity is a string',
  'quantity is a fraction',
  'quantity is true',
  'quantity is null',
  'quantity is an array',
  'quantity is an object',
  'the body is an array',
  'the body is no JSON',
]
const kinds = Object.fromEntries(named.map((each) => [each, ['invalid-bodies']]))

const needs = { cases: 'PATCHes with such a body', least: 1 }

export const invalidValues = defineCheck({
  id: 'inventory.invalid-values',
  promise: 'A PATCH body that is no JSON object, or whose quantity is no integer, gets 400.',
  clauses: ['INV-5'],
  advice: 'Look at how the body of a PATCH is validated: only a JSON object with an integer quantity passes.',
  reads: ['invalid-bodies'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'invalid-bodies', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'invalid-bodies', 'invalid'), 400, needs, { kinds, kindOf: nameOf }),
})
