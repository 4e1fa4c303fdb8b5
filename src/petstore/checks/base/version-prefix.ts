import { defineCheck } from '../../../checks/framework/check.js'
import { fail, inconclusive } from '../../../checks/framework/finding.js'
import { concluded, tellingCases } from '../../../checks/framework/needs.js'
import { isWhole, jsonOf } from '../../../checks/readings/answers.js'
import { isAnswered } from '../../../evidence/exchange.js'

const needs = { cases: 'lists that could be read', least: 1 }

export const versionPrefix = defineCheck({
  id: 'base.version-prefix',
  promise: 'The operations answer under a base address whose path ends with /v1.',
  clauses: ['BASE-2'],
  advice: 'Look at where the routes are mounted: under a base path that ends with /v1.',
  reads: ['hello'],
  needs,
  judge(evidence) {
    const { baseUrl } = evidence.run
    if (!new URL(baseUrl).pathname.replace(/\/$/, '').endsWith('/v1')) return fail('base-without-v1', { baseUrl })
    const served = evidence.exchanges.filter(
      (x) => isAnswered(x) && x.operation === 'listInventory' && x.response.status === 200,
    )
    if (served.length === 0) return inconclusive('base-serves-nothing', { baseUrl })
    const telling = tellingCases()
    // A page for whatever is asked is no answer of an operation.
    for (const x of served) if (isAnswered(x) && isWhole(x) && jsonOf(x).ok) telling.add(x)
    return concluded(evidence, needs, telling, { leftOut: served.length - telling.count })
  },
  sentences: {
    'base-without-v1': ({ baseUrl }) => `the base address ${baseUrl} does not end with /v1`,
    'base-serves-nothing': ({ baseUrl }) => `nothing under ${baseUrl} answered 200`,
  },
})
