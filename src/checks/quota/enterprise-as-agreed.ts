import { judgedKeys } from '../../limits/judged-keys.js'
import { defineCheck } from '../law/check.js'
import { fail, inconclusive, notTested, pass } from '../law/finding.js'
import { loadedAgain, withoutRoom } from '../law/judging/judged-clause.js'
import { loadProfiles } from '../readings/load-profiles.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'no-enterprise-key': Record<never, never>
    'enterprise-not-as-agreed': {
      limit: number
      /** What the oracle's diagnosis says it looks like, if anything. */
      looksLike: string | null
      looksLikeFacts: { readonly [name: string]: number | string }
    }
  }
}

export const enterpriseAsAgreed = defineCheck({
  id: 'quota.enterprise-as-agreed',
  promise: 'The Enterprise key is held to the numbers that were agreed, no others.',
  clauses: ['QUOTA-5'],
  reads: loadProfiles,
  again: loadedAgain,
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    const enterprise = judged.find(({ plan }) => plan === 'enterprise')
    const lacking = withoutRoom(evidence, ({ plan }) => plan === 'enterprise')
    if (lacking) return inconclusive('no-room-in-day', lacking)
    if (!enterprise?.judgement) return notTested('no-enterprise-key', {})
    const { judgement, window, diagnosis } = enterprise
    if (judgement.verdict === 'pass')
      return pass('explained-on-every-plan', { plans: ['enterprise'], models: judgement.models })
    if (judgement.verdict === 'inconclusive')
      return inconclusive('quota-not-judged', {
        plan: 'enterprise',
        reason: judgement.reason,
        plans: ['enterprise'],
      })
    const looksLike = { looksLike: diagnosis?.id ?? null, looksLikeFacts: { ...diagnosis?.facts } }
    return fail('enterprise-not-as-agreed', { limit: window.quota.minute, ...looksLike })
  },
})
