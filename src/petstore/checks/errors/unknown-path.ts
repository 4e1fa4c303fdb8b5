import { openCheck } from '../shapes.js'

export const unknownPathCheck = openCheck({
  id: 'errors.unknown-path',
  promise: 'What an unknown path and an undeclared method get is reported.',
  clauses: ['ERR-6'],
  asks: ['unknown-path', 'unknown'],
})
