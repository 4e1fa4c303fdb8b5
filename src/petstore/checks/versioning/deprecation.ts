import { defineCheck } from '../../../checks/framework/check.js'
import { fail } from '../../../checks/framework/finding.js'
import { concluded, nothingTold, tellingCases } from '../../../checks/framework/needs.js'
import { answersOf } from '../../../evidence/evidence.js'
import { headerValues, isAnswered } from '../../../evidence/exchange.js'

const needs = { cases: 'answers of GET /pets/{petId} to a valid key', least: 1 }

export const deprecation = defineCheck({
  id: 'versioning.deprecation',
  promise: 'GET /pets/{petId} carries a Deprecation or a Sunset header.',
  clauses: ['VER-1'],
  advice: 'Look at the old operation: it has to carry a Deprecation or a Sunset header.',
  reads: ['other-operations'],
  needs,
  judge(evidence) {
    const asked = answersOf(evidence, 'other-operations', 'with-key').find((x) => x.operation === 'getPet')
    // A limiter or a gateway that stands before the operation does not know what it is.
    if (!asked || !isAnswered(asked) || asked.response.status === 429 || asked.response.status >= 500) {
      return nothingTold(needs.cases)
    }
    const { headers, status } = asked.response
    const marked = ['Deprecation', 'Sunset'].some((name) => headerValues(headers, name).length > 0)
    if (!marked) return fail('deprecation-not-marked', { status }, asked)
    const telling = tellingCases()
    telling.add(asked)
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'deprecation-not-marked': ({ status }) => `GET /pets/{petId} (${status}) carries neither Deprecation nor Sunset`,
  },
})
