import { openCheck } from '../shapes.js'

export const otherOperationsCheck = openCheck({
  id: 'inventory.other-operations',
  promise: 'What the operations without a shown shape answer is reported.',
  clauses: ['INV-12'],
  asks: ['other-operations', 'with-key'],
})
