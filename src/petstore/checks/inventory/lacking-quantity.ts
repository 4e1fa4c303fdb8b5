import { nameOf } from '../../../checks/readings/answers.js'
import { statusCheck } from '../shapes.js'

export const lackingQuantity = statusCheck({
  id: 'inventory.lacking-quantity',
  promise: 'A PATCH body without quantity, or no body at all, gets 400.',
  clauses: ['INV-4'],
  advice: 'Look at how the body of a PATCH is validated: quantity is required.',
  asks: ['invalid-bodies', 'lacking'],
  due: 400,
  cases: 'PATCHes with such a body',
  // The cases that the clause names; others are asked as well.
  kinds: { 'an empty object': ['invalid-bodies'], 'no body at all': ['invalid-bodies'] },
  kindOf: nameOf,
  controlled: true,
})
