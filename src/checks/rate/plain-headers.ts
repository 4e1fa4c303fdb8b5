import { headerValues } from '../../evidence/exchange.js'
import { saidBy } from '../../readings/readings.js'
import { bringing } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeAnswers } from '../framework/judge-answers.js'
import { nameOf, operationAnswers } from '../readings/answers.js'

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const needs = { cases: 'answers with the three headers', least: 1 }

export const plainHeaders = defineCheck({
  id: 'rate.plain-headers',
  promise: 'Each of the three headers appears once; Limit and Reset are plain decimal integers.',
  clauses: ['RATE-7'],
  of: 'petstore',
  advice: 'Look at who writes the headers: a gateway may add its own, and numbers must stay plain.',
  reads: 'everything',
  alone: [['header-row'], ...bringing(400, 401, 404)],
  needs,
  judge: (evidence) =>
    judgeAnswers(evidence, operationAnswers(evidence), needs, (x) => {
      for (const header of names) {
        const times = headerValues(x.response.headers, header).length
        if (times > 1) return breach('header-more-than-once', { header, case: nameOf(x), times })
      }
      const { limit, remaining, reset } = saidBy(evidence, x)
      for (const [header, value] of [
        ['X-RateLimit-Limit', limit],
        ['X-RateLimit-Reset', reset],
      ] as const) {
        const isOdd = value.state === 'malformed' || (value.state === 'number' && !value.plain)
        if (isOdd) return breach('header-not-plain', { header, case: nameOf(x), text: value.text })
      }
      const isOperations = x.response.status < 500
      return isOperations && [limit, remaining, reset].every(({ state }) => state !== 'absent') ? undefined : 'left-out'
    }),
  sentences: {
    'header-more-than-once': (f) => `${f.header} appears ${f.times} times on ${f.case}`,
    'header-not-plain': (f) => `${f.header} on ${f.case} is ${f.text}, no plain decimal integer`,
  },
})
