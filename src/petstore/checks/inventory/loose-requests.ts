import { openCheck } from '../shapes.js'

export const looseRequestsCheck = openCheck({
  id: 'inventory.loose-requests',
  promise: 'Answers to requests that the interface leaves open are reported.',
  clauses: ['INV-11'],
  asks: ['loose-requests', 'loose'],
})
