import { answersOf } from '../../../evidence/evidence.js'
import { defineCheck } from '../../law/check.js'
import { casesSeen } from '../../law/judging/cases-seen.js'

export const openFormsCheck = defineCheck({
  id: 'auth.open-forms',
  promise: 'Spellings of the header that standards let servers read either way are reported.',
  clauses: ['AUTH-4'],
  level: 'observe',
  reads: ['key-elsewhere'],
  judge: (evidence) => casesSeen(answersOf(evidence, 'key-elsewhere', 'open')),
})
