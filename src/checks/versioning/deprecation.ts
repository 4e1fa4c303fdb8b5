import { answersOf } from '../../evidence/evidence.js'
import { headerValues, isAnswered } from '../../evidence/exchange.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, pass } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'deprecation-not-marked': { status: number }
  }
}

export const deprecation = defineCheck({
  id: 'versioning.deprecation',
  promise: 'GET /pets/{petId} carries a Deprecation or a Sunset header.',
  clauses: ['VER-1'],
  reads: ['other-operations'],
  judge(evidence) {
    const asked = answersOf(evidence, 'other-operations', 'with-key').find((x) => x.operation === 'getPet')
    // A limiter or a gateway that stands before the operation does not know what it is.
    if (!asked || !isAnswered(asked) || asked.response.status === 429 || asked.response.status >= 500) {
      return inconclusive('nothing-to-judge', { wanted: 'an answer of GET /pets/{petId}' })
    }
    const { headers, status } = asked.response
    const marked = ['Deprecation', 'Sunset'].some((name) => headerValues(headers, name).length > 0)
    return marked ? pass('held', { examined: 1 }, asked) : fail('deprecation-not-marked', { status }, asked)
  },
})
