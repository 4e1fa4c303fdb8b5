import { listInWords } from '../../kit/list-in-words.js'
import { statusKinds } from '../law/asking-probes.js'
import { defineCheck } from '../law/check.js'
import { breach } from '../law/finding.js'
import { judgeReadings } from '../law/judging/judge-readings.js'
import { spentAgainForRefusals } from '../law/spent-again.js'

const names = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const

const needs = { cases: 'answers with the three headers', least: 1 }

export const headersPresent = defineCheck({
  id: 'rate.headers-present',
  promise: 'Every response of an operation carries X-RateLimit-Limit, -Remaining and -Reset.',
  clauses: ['RATE-1'],
  reads: 'everything',
  needs,
  again: spentAgainForRefusals,
  judge: (evidence) =>
    judgeReadings(
      evidence,
      needs,
      ({ status, headers }) => {
        const missing = (['limit', 'remaining', 'reset'] as const).filter((each) => headers[each].state === 'absent')
        if (missing.length === 0) return undefined
        return breach('rate-headers-missing', { status, missing: missing.map((each) => names[each]) })
      },
      { kinds: statusKinds(200, 400, 401, 404, 429), kindOf: ({ status }) => String(status) },
    ),
  sentences: {
    'rate-headers-missing': (f) => `a ${f.status} came without ${listInWords(f.missing)}`,
  },
})
