import type { Evidence } from '../../evidence/evidence.js'
import { exchangesOf } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
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

/** A key that was far from its limit, by what this run sent on it and what it last said, and was refused all the same. */
const heldBack = (evidence: Evidence): { x: Exchange; sent: number; limit: number } | undefined => {
  for (const x of exchangesOf(evidence, 'isolation', 'beside')) {
    const key = judgedKeys(evidence).find(({ name }) => name === x.key)
    if (!key || x.response?.status !== 429) continue
    const { record, window } = key
    const from = x.sentAt - window.minuteMs
    const earlier = Array.from({ length: record.size }, (_, i) => i).filter((i) => record.sentMs[i] < x.sentAt)
    const sent = earlier.filter((i) => record.sentMs[i] > from).length
    const last = earlier.findLast((i) => record.status[i] === 200)
    const hadRoom = last !== undefined && record.sentMs[last] > from && !(record.remaining[last] < 3)
    if (sent < window.quota.minute / 2 && hadRoom) return { x, sent, limit: window.quota.minute }
  }
  return undefined
}

/** Whether the run shows that one key's requests are charged to another's. */
export const bucketIsShared = (evidence: Evidence): boolean => heldBack(evidence) !== undefined

export const plansApart = defineCheck({
  id: 'quota.plans-apart',
  promise: 'Each plan has limits of its own, and no key is held back by what another plan sent.',
  clauses: ['QUOTA-4'],
  reads: ['isolation'],
  judge(evidence) {
    const asked = exchangesOf(evidence, 'isolation', 'beside')
    if (asked.length === 0) return notTested('one-plan-only', {})
    const held = heldBack(evidence)
    if (held) {
      const { x, sent, limit } = held
      return fail('held-back-by-another-plan', { plan: x.key ?? '', spent: x.intent.spent, sent, limit }, x)
    }
    for (const { plan, window, diagnosis } of judgedKeys(evidence)) {
      if (diagnosis?.id !== 'limit-of-another-plan' || plan === 'enterprise') continue
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
