import { answersOf } from '../../../evidence/evidence.js'
import { defineCheck } from '../../law/check.js'
import { casesSeen } from '../../law/judging/cases-seen.js'

export const looseRequestsCheck = defineCheck({
  id: 'inventory.loose-requests',
  promise: 'Answers to requests that the interface leaves open are reported.',
  clauses: ['INV-11'],
  reads: ['loose-requests'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'loose-requests', 'loose')),
})
