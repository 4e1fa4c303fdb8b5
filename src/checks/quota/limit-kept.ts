import { byDiagnosis, defineCheck } from '../framework/check.js'
import { clauseSentences, judgedClause, loadedAgain } from '../framework/judged-clause.js'
import { loadProfiles } from '../framework/loads.js'
import { refusedOperation, refusedOperationSentence } from './refused-with-room.js'

export const notOverAdmitted = defineCheck({
  id: 'quota.not-over-admitted',
  promise: 'On every plan a permitted way of counting explains every admitted request.',
  clauses: ['QUOTA-1'],
  advice: byDiagnosis('Check where requests are counted: more pass than the limit, wherever the windows lie.'),
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => judgedClause(evidence, 'QUOTA-1'),
  sentences: clauseSentences,
})

export const notRefusedEarly = defineCheck({
  id: 'quota.not-refused-early',
  promise: 'On every plan a permitted way of counting explains every refused request.',
  clauses: ['QUOTA-2'],
  advice: byDiagnosis('Check what else counts against this quota, and when its window ends: it refuses too early.'),
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => refusedOperation(evidence) ?? judgedClause(evidence, 'QUOTA-2'),
  sentences: { ...clauseSentences, ...refusedOperationSentence },
})
