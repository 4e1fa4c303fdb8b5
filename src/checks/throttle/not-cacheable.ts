import { headerValues } from '../../evidence/exchange.js'
import { defineCheck } from '../check.js'
import { fail, notTested, pass } from '../finding.js'
import { keptRefusals } from '../kept-refusals.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'refusal-cacheable': { cacheControl: string }
  }
}

/** A lifetime above zero, or an explicit permission, without a word against storing. */
const allowsStoring = (cacheControl: string): boolean => {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  if (directives.includes('no-store') || directives.includes('private')) return false
  return directives.some((each) => each === 'public' || /^(s-maxage|max-age)="?0*[1-9]/.test(each))
}

export const notCacheable = defineCheck({
  id: 'throttle.not-cacheable',
  promise: 'A 429 is not marked as cacheable.',
  clauses: ['THROTTLE-8'],
  reads: 'everything',
  judge(evidence) {
    const seen = keptRefusals(evidence)
    if (seen.length === 0) return notTested('never-refused', { sent: evidence.exchanges.length })
    for (const { id, headers } of seen) {
      const cacheControl = headerValues(headers, 'Cache-Control').join(', ')
      if (allowsStoring(cacheControl)) return fail('refusal-cacheable', { cacheControl: cacheControl.slice(0, 80) }, id)
    }
    return pass('held', { examined: seen.length }, seen[0].id)
  },
})
