import { bringing, statusKinds } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeAnswers } from '../../../checks/framework/judge-answers.js'
import { nameOf, operationAnswers } from '../../../checks/readings/answers.js'
import type { Answered } from '../../../evidence/exchange.js'
import { headerValues } from '../../../evidence/exchange.js'

const needs = { cases: '401s', least: 1 }

export const challenge = defineCheck({
  id: 'auth.challenge',
  promise: 'A 401 carries WWW-Authenticate with a Bearer challenge.',
  clauses: ['AUTH-8'],
  advice: 'Look at what answers a 401: it has to add WWW-Authenticate: Bearer.',
  reads: 'everything',
  alone: bringing(401),
  needs,
  judge(evidence) {
    const denied = operationAnswers(evidence).filter((x) => x.response.status === 401)
    const look = (x: Answered) => {
      const challenges = headerValues(x.response.headers, 'WWW-Authenticate')
      if (challenges.some((each) => /(^|,)\s*bearer\b/i.test(each))) return undefined
      return breach('no-bearer-challenge', { case: nameOf(x), challenge: challenges.join(', ').slice(0, 80) || 'none' })
    }
    return judgeAnswers(evidence, denied, needs, look, { kinds: statusKinds(401), kindOf: () => '401' })
  },
  sentences: {
    'no-bearer-challenge': (f) => `a 401 (${f.case}) has no Bearer challenge; WWW-Authenticate: ${f.challenge}`,
  },
})
