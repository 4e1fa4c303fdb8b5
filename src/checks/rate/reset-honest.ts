import { heldBackKey } from '../../limits/held-back.js'
import { type JudgedKey, judgedKeys } from '../../limits/judged-keys.js'
import { isBeyondMinute } from '../../limits/key-history.js'
import type { KeyRecord } from '../../limits/key-record.js'
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

/** Loads, and the probe that spends a key one request at a time. */
const readsFrom = ['exhaustion', ...loadProfiles]

interface KeptMoment {
  readonly refusal: number
  /** The request that was sent from the moment on. */
  readonly next: number
  readonly dueMs: number
  /** Whether nothing was asked in between: what was admitted before may have had what was there. */
  readonly inSilence: boolean
}

/** From the moment on one that is sent has to be alone: of several at once another may have had what was there. */
const isAlone = ({ sentMs, receivedMs }: KeyRecord, i: number): boolean =>
  sentMs[i] >= receivedMs[i - 1] && !(sentMs[i + 1] < receivedMs[i])

/** The refusals whose Reset passed, with at most admitted requests in between, each with the request that came then. */
function* keptMoments({ record, window, clock }: JudgedKey): Generator<KeptMoment> {
  for (let i = 0; i + 1 < record.size; i += 1) {
    const namesMinute = record.limit[i] === window.quota.minute && window.quota.minute !== window.quota.day
    if (record.status[i] !== 429 || !namesMinute || isBeyondMinute(record, i, window)) continue
    const dueMs = record.reset[i] * 1000 - clock.from + roundingMs
    // What lies in the past is no promise of a return: RATE-5 speaks of it.
    if (dueMs - roundingMs <= record.receivedMs[i]) continue
    let next = i + 1
    while (record.sentMs[next] < dueMs && record.status[next] === 200 && isAlone(record, next)) next += 1
    if (record.sentMs[next] >= dueMs && isAlone(record, next)) {
      yield { refusal: i, next, dueMs, inSilence: next === i + 1 }
    }
  }
}

export const resetHonest = defineCheck({
  id: 'rate.reset-honest',
  promise: 'From the moment that X-RateLimit-Reset names on, the quota is there again.',
  clauses: ['RATE-6'],
  reads: readsFrom,
  judge(evidence) {
    const shared = heldBackKey(evidence)
    if (shared) return inconclusive('held-by-another-key', { plan: shared.plan }, shared.x)
    const witnesses: string[] = []
    let examined = 0
    for (const key of judgedKeys(evidence)) {
      for (const { refusal, next, dueMs, inSilence } of keptMoments(key)) {
        const { record, plan } = key
        const status = record.status[next]
        if (status === 0 || status >= 500 || (status === 429 && !inSilence)) continue
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
