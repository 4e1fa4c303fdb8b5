import { judgedKeys } from '../../limits/judged-keys.js'
import { defineCheck } from '../check.js'
import { notTested, observed } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'algorithm-seen': { plans: readonly { plan: string; models: readonly string[] }[] }
  }
}

export const algorithm = defineCheck({
  id: 'quota.algorithm',
  promise: 'The limiters that explain what was seen are reported.',
  clauses: ['QUOTA-8'],
  reads: ['burst', 'split'],
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    if (judged.length === 0) return notTested('no-load-on-any-key', {})
    const plans = judged.map(({ plan, judgement }) => ({
      plan,
      models: Object.entries(judgement?.explanations ?? {}).flatMap(([name, { verdict }]) =>
        verdict === 'explained' ? [name] : [],
      ),
    }))
    return observed('algorithm-seen', { plans })
  },
})
