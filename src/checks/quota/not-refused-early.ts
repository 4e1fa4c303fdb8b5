import { defineCheck } from '../law/check.js'
import { clauseSentences, judgedClause, loadedAgain } from '../law/judging/judged-clause.js'
import { loadProfiles } from '../readings/load-profiles.js'

export const notRefusedEarly = defineCheck({
  id: 'quota.not-refused-early',
  promise: 'On every plan a permitted way of counting the limit accounts for all that was refused.',
  clauses: ['QUOTA-2'],
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => judgedClause(evidence, 'QUOTA-2'),
  sentences: clauseSentences,
})
