import { casesSeen } from '../../../checks/framework/cases-seen.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { answersOf } from '../../../evidence/evidence.js'

export const looseRequestsCheck = defineCheck({
  id: 'inventory.loose-requests',
  promise: 'Answers to requests that the interface leaves open are reported.',
  clauses: ['INV-11'],
  reads: ['loose-requests'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'loose-requests', 'loose')),
})
