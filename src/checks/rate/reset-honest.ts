import { heldBackKey } from '../../limits/held-back.js'
import { type JudgedKey, judgedKeys } from '../../limits/judged-keys.js'
import { isBeyondMinute } from '../../limits/key-history.js'
import { isQuiet } from '../../limits/quiet-key.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'
import { loadProfiles } from '../quota/load-profiles.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'refused-after-reset': { plan: string; reset: number; lateMs: number; status: number }
    'nobody-there-at-reset': Record<never, never>
  }
}

/** A moment in whole seconds stands for a second, so that only from a second after it on it is certainly over. */
const roundingMs = 1_000

/** The refusals whose Reset passed in silence, each with the request that ended it. */
function* silentResets({
  record,
  window,
  clock,
}: JudgedKey): Generator<{ refusal: number; next: number; dueMs: number }> {
  for (let i = 0; i + 1 < record.size; i += 1) {
    const namesMinute = record.limit[i] === window.quota.minute && window.quota.minute !== window.quota.day
    if (record.status[i] !== 429 || !namesMinute || isBeyondMinute(record, i, window)) continue
    const next = i + 1
    // The one that ends the silence has to be alone: of several at once another may have had what was there.
    if (record.sentMs[next] < record.receivedMs[i] || record.sentMs[next + 1] < record.receivedMs[next]) continue
    const dueMs = record.reset[i] * 1000 - clock.from + roundingMs
    // What lies in the past is no promise of a return: RATE-5 speaks of it.
    if (dueMs - roundingMs > record.receivedMs[i] && record.sentMs[next] >= dueMs) yield { refusal: i, next, dueMs }
  }
}

export const resetHonest = defineCheck({
  id: 'rate.reset-honest',
  promise: 'From the moment that X-RateLimit-Reset names on, the quota is there again.',
  clauses: ['RATE-6'],
  reads: loadProfiles,
  judge(evidence) {
    const shared = heldBackKey(evidence)
    if (shared) return inconclusive('held-by-another-key', { plan: shared.plan }, shared.x)
    const witnesses: string[] = []
    let examined = 0
    for (const key of judgedKeys(evidence)) {
      for (const { refusal, next, dueMs } of silentResets(key)) {
        const { record, plan } = key
        const status = record.status[next]
        if (status === 0 || status >= 500) continue
        if (status === 429 && !isBeyondMinute(record, next, key.window)) {
          // Whoever else spends the key may have had what was there.
          if (!isQuiet(record)) return inconclusive('quota-not-judged', { plan, reason: 'key-not-quiet' })
          const facts = {
            plan,
            reset: record.reset[refusal],
            lateMs: Math.round(record.sentMs[next] - dueMs + roundingMs),
            status,
          }
          return fail('refused-after-reset', facts, record.witness(refusal), record.witness(next))
        }
        examined += 1
        if (witnesses.length < 6) witnesses.push(record.witness(refusal), record.witness(next))
      }
    }
    return examined > 0 ? pass('held', { examined }, ...witnesses) : notTested('nobody-there-at-reset', {})
  },
})
