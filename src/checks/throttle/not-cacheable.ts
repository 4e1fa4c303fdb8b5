import { headerValues } from '../../evidence/exchange.js'
import { bringing, statusKinds } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, tellingCases } from '../framework/needs.js'
import { keptRefusals } from '../readings/kept-refusals.js'

/** A lifetime above zero, or an explicit permission, without a word against storing. */
const allowsStoring = (cacheControl: string): boolean => {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  if (directives.includes('no-store') || directives.includes('private')) return false
  return directives.some((each) => each === 'public' || /^(s-maxage|max-age)="?0*[1-9]/.test(each))
}

const needs = { cases: '429s that were kept whole', least: 1 }

export const notCacheable = defineCheck({
  id: 'throttle.not-cacheable',
  promise: 'A 429 is not marked as cacheable.',
  clauses: ['THROTTLE-8'],
  advice: 'Look at the Cache-Control of a 429: no-store, also behind a gateway or CDN.',
  reads: 'everything',
  alone: bringing(429),
  needs,
  judge(evidence) {
    const seen = keptRefusals(evidence)
    const telling = tellingCases()
    for (const { witness, headers } of seen) {
      const cacheControl = headerValues(headers, 'Cache-Control').join(', ')
      if (allowsStoring(cacheControl))
        return fail('refusal-cacheable', { cacheControl: cacheControl.slice(0, 80) }, witness)
      telling.add(witness, '429')
    }
    return concluded(evidence, needs, telling, { kinds: statusKinds(429) })
  },
  sentences: {
    'refusal-cacheable': ({ cacheControl }) => `a 429 is marked as cacheable: Cache-Control: ${cacheControl}`,
  },
})
