import { defineCheck } from '../check.js'
import { judgedClause, loadedAgain } from './judged-clause.js'
import { loadProfiles } from './load-profiles.js'

export const notOverAdmitted = defineCheck({
  id: 'quota.not-over-admitted',
  promise: 'On every plan some admissible limiter explains all that was admitted in a minute.',
  clauses: ['QUOTA-1'],
  reads: loadProfiles,
  again: loadedAgain,
  judge: (evidence) => judgedClause(evidence, 'QUOTA-1'),
})
