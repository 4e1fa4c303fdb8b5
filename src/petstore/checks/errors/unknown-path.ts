import { casesSeen } from '../../../checks/framework/cases-seen.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { answersOf } from '../../../evidence/evidence.js'

export const unknownPathCheck = defineCheck({
  id: 'errors.unknown-path',
  promise: 'What an unknown path and an undeclared method get is reported.',
  clauses: ['ERR-6'],
  reads: ['unknown-path'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'unknown-path', 'unknown')),
})
