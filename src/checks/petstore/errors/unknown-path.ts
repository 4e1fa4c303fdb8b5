import { answersOf } from '../../../evidence/evidence.js'
import { defineCheck } from '../../law/check.js'
import { casesSeen } from '../../law/judging/cases-seen.js'

export const unknownPathCheck = defineCheck({
  id: 'errors.unknown-path',
  promise: 'What an unknown path and an undeclared method get is reported.',
  clauses: ['ERR-6'],
  reads: ['unknown-path'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'unknown-path', 'unknown')),
})
