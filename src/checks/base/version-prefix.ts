import { defineCheck } from '../check.js'
import { fail, inconclusive, pass } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'base-without-v1': { baseUrl: string }
    'base-serves-nothing': { baseUrl: string }
  }
}

export const versionPrefix = defineCheck({
  id: 'base.version-prefix',
  promise: 'The operations answer under a base address whose path ends with /v1.',
  clauses: ['BASE-2'],
  reads: ['hello'],
  judge({ run, exchanges }) {
    const { baseUrl } = run
    if (!new URL(baseUrl).pathname.replace(/\/$/, '').endsWith('/v1')) return fail('base-without-v1', { baseUrl })
    const served = exchanges.filter((x) => x.operation === 'listInventory' && x.response?.status === 200)
    if (served.length === 0) return inconclusive('base-serves-nothing', { baseUrl })
    return pass('held', { examined: served.length }, served[0])
  },
})
