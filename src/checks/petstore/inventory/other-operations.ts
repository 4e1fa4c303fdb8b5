import { answersOf } from '../../../evidence/evidence.js'
import { defineCheck } from '../../law/check.js'
import { casesSeen } from '../../law/judging/cases-seen.js'

export const otherOperationsCheck = defineCheck({
  id: 'inventory.other-operations',
  promise: 'What the operations without a shown shape answer is reported.',
  clauses: ['INV-12'],
  reads: ['other-operations'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'other-operations', 'with-key')),
})
