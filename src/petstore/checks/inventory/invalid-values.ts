import { nameOf } from '../../../checks/readings/answers.js'
import { statusCheck } from '../shapes.js'

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
const invalidKinds = Object.fromEntries(named.map((each) => [each, ['invalid-bodies']]))

export const invalidValues = statusCheck({
  id: 'inventory.invalid-values',
  promise: 'A PATCH body that is no JSON object, or whose quantity is no integer, gets 400.',
  clauses: ['INV-5'],
  advice: 'Look at how the body of a PATCH is validated: only a JSON object with an integer quantity passes.',
  asks: ['invalid-bodies', 'invalid'],
  due: 400,
  cases: 'PATCHes with such a body',
  kinds: invalidKinds,
  kindOf: nameOf,
  controlled: true,
})
