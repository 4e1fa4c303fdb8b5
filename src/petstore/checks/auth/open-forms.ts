import { casesSeen } from '../../../checks/framework/cases-seen.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { answersOf } from '../../../evidence/evidence.js'

export const openFormsCheck = defineCheck({
  id: 'auth.open-forms',
  promise: 'Spellings of the header that standards let servers read either way are reported.',
  clauses: ['AUTH-4'],
  level: 'observe',
  reads: ['key-elsewhere'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'key-elsewhere', 'open')),
})
