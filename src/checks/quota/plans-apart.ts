import { type Evidence, exchangesOf } from '../../evidence/evidence.js'
import { heldBackKey } from '../../limits/held-back.js'
import { judgedKeys } from '../../limits/judged-keys.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'held-back-by-another-plan': { plan: string; spent: string; sent: number; limit: number }
    'limit-of-another-plan': { plan: string; limit: number; seen: number; other: string }
    'one-plan-only': Record<never, never>
    'key-spent-already': { plan: string }
  }
}

/** Whether a burst on the key came to just that limit: more would have been sent, and was refused. */
const wasReached = ({ ledgers }: Evidence, key: string, limit: number): boolean =>
  ledgers.some(({ head, rows }) => {
    if (head.key !== key || head.id !== `burst-${key}`) return false
    const admitted = rows.status.reduce((sum, status) => sum + (status === 200 ? 1 : 0), 0)
    return Math.abs(admitted - limit) <= 2 + limit * 0.02 && rows.status.includes(429)
  })

export const plansApart = defineCheck({
  id: 'quota.plans-apart',
  promise: 'Each plan has limits of its own, and no key is held back by what another plan sent.',
  clauses: ['QUOTA-4'],
  reads: ['isolation'],
  judge(evidence) {
    const asked = exchangesOf(evidence, 'isolation', 'beside')
    if (asked.length === 0) return notTested('one-plan-only', {})
    const held = heldBackKey(evidence)
    if (held) {
      const { x, sent, limit } = held
      return fail('held-back-by-another-plan', { plan: x.key ?? '', spent: x.intent.spent, sent, limit }, x)
    }
    for (const { name, plan, window, diagnosis } of judgedKeys(evidence)) {
      if (diagnosis?.id !== 'limit-of-another-plan' || plan === 'enterprise') continue
      if (!wasReached(evidence, name, Number(diagnosis.facts.limit))) continue
      const facts = {
        plan,
        limit: window.quota.minute,
        seen: Number(diagnosis.facts.limit),
        other: String(diagnosis.facts.plan),
      }
      return fail('limit-of-another-plan', facts)
    }
    const refused = asked.find((x) => x.response?.status === 429)
    if (refused) return inconclusive('key-spent-already', { plan: refused.key ?? '' }, refused)
    return pass('held', { examined: asked.length }, ...asked)
  },
})
