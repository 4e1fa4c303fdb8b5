import { casesSeen } from '../../../checks/framework/cases-seen.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { answersOf } from '../../../evidence/evidence.js'

export const otherOperationsCheck = defineCheck({
  id: 'inventory.other-operations',
  promise: 'What the operations without a shown shape answer is reported.',
  clauses: ['INV-12'],
  reads: ['other-operations'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'other-operations', 'with-key')),
})
