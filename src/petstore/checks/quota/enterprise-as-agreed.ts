import { byDiagnosis } from '../../../checks/framework/advice.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { diagnosisFacts, looksLikeInWords } from '../../../checks/framework/diagnosis-in-words.js'
import { fail, inconclusive, notTested } from '../../../checks/framework/finding.js'
import { loadedAgain, withoutRoom } from '../../../checks/framework/judged-clause.js'
import { explainedOnEvery, quotaNotJudged } from '../../../checks/framework/open-quota.js'
import { loadProfiles } from '../../../checks/readings/load-profiles.js'
import { count } from '../../../kit/count.js'
import { judgedKeys } from '../../../oracle/judged-keys.js'

export const enterpriseAsAgreed = defineCheck({
  id: 'quota.enterprise-as-agreed',
  promise:
    'The Enterprise key is held to the numbers a minute that were agreed, no others; its day is judged with the others (QUOTA-3).',
  clauses: ['QUOTA-5'],
  advice: byDiagnosis('Look at the limits that are set for the Enterprise key: they are not those agreed upon.'),
  reads: loadProfiles,
  again: loadedAgain,
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    const enterprise = judged.find(({ plan }) => plan === 'enterprise')
    const lacking = withoutRoom(evidence, ({ plan }) => plan === 'enterprise')
    if (lacking) return inconclusive('no-room-in-day', lacking)
    if (!enterprise?.judgement) return notTested('no-enterprise-key', {})
    const { judgement, window, diagnosis } = enterprise
    if (judgement.verdict === 'pass') return explainedOnEvery(['enterprise'], judgement.models)
    if (judgement.verdict === 'inconclusive') return quotaNotJudged('enterprise', judgement.reason)
    return fail('enterprise-not-as-agreed', { limit: window.quota.limit, ...diagnosisFacts(diagnosis) })
  },
  sentences: {
    'no-enterprise-key': () => 'no load was put on an Enterprise key',
    'enterprise-not-as-agreed': (f) =>
      `the Enterprise key is not held to ${count(f.limit)} a minute.${looksLikeInWords(f)}`,
  },
})
