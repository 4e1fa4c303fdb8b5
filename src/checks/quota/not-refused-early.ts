import { byDiagnosis } from '../framework/advice.js'
import { defineCheck } from '../framework/check.js'
import { clauseSentences, judgedClause, loadedAgain } from '../framework/judged-clause.js'
import { loadProfiles } from '../readings/load-profiles.js'

export const notRefusedEarly = defineCheck({
  id: 'quota.not-refused-early',
  promise: 'On every plan a permitted way of counting the limit accounts for all that was refused.',
  clauses: ['QUOTA-2'],
  advice: byDiagnosis(
    'Look at what else counts against this quota, and at when its window ends: it refuses too early.',
  ),
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => judgedClause(evidence, 'QUOTA-2'),
  sentences: clauseSentences,
})
