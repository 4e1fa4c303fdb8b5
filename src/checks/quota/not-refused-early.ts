import { defineCheck } from '../law/check.js'
import { clauseSentences, judgedClause, loadedAgain } from '../law/judging/judged-clause.js'
import { loadProfiles } from '../readings/load-profiles.js'

export const notRefusedEarly = defineCheck({
  id: 'quota.not-refused-early',
  promise: 'On every plan some admissible limiter explains all that was refused in a minute.',
  clauses: ['QUOTA-2'],
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => judgedClause(evidence, 'QUOTA-2'),
  sentences: clauseSentences,
})
