import { listInWords } from '../../kit/list-in-words.js'
import { bringing, ratedStatuses } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeReadings } from '../framework/judge-cases.js'
import { spentAgainForRefusals } from '../framework/spent-again.js'
import { fieldNames } from '../readings/field-names.js'

const needs = { cases: 'answers with the three headers', least: 1 }

export const headersPresent = defineCheck({
  id: 'rate.headers-present',
  promise: 'Every response of an operation carries X-RateLimit-Limit, -Remaining and -Reset.',
  clauses: ['RATE-1'],
  advice: "Look at which answers pass the limiter's middleware: errors and refusals need the headers too.",
  reads: 'everything',
  alone: bringing(200, 400, 401, 404, 429),
  needs,
  again: spentAgainForRefusals,
  judge(evidence) {
    const names = fieldNames(evidence)
    return judgeReadings(
      evidence,
      needs,
      ({ status, headers }) => {
        const missing = (['limit', 'remaining', 'reset'] as const).flatMap((each) => {
          const name = names[each]
          return name !== undefined && headers[each].state === 'absent' ? [name] : []
        })
        return missing.length === 0
          ? undefined
          : breach('rate-headers-missing', { status, missing: [...new Set(missing)] })
      },
      { kinds: ratedStatuses(evidence), kindOf: ({ status }) => String(status) },
    )
  },
  sentences: {
    'rate-headers-missing': (f) => `a ${f.status} came without ${listInWords(f.missing)}`,
  },
})
