import { judgedKeys } from '../../limits/judged-keys.js'
import { mostAdmitted } from '../../limits/most-admitted.js'
import { defineCheck } from '../law/check.js'
import { notTested, observed } from '../law/finding.js'
import { loadProfiles } from '../readings/load-profiles.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'algorithm-seen': { plans: readonly { plan: string; models: readonly string[]; most: number; limit: number }[] }
  }
}

export const algorithm = defineCheck({
  id: 'quota.algorithm',
  promise: 'The limiters that explain what was seen, and the most that was admitted in any minute, are reported.',
  clauses: ['QUOTA-8'],
  reads: loadProfiles,
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    if (judged.length === 0) return notTested('no-load-on-any-key', {})
    const plans = judged.map((key) => ({
      plan: key.plan,
      limit: key.window.quota.minute,
      most: mostAdmitted(key),
      models: Object.entries(key.judgement?.explanations ?? {}).flatMap(([name, { verdict }]) =>
        verdict === 'explained' ? [name] : [],
      ),
    }))
    return observed('algorithm-seen', { plans })
  },
})
