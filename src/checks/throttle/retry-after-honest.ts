import { heldBackKey } from '../../limits/held-back.js'
import { judgedKeys } from '../../limits/judged-keys.js'
import { isBeyondMinute, type KeyWindow } from '../../limits/key-history.js'
import type { KeyRecord } from '../../limits/key-record.js'
import { isQuiet } from '../../limits/quiet-key.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'refused-after-waiting': { plan: string; promisedMs: number; waitedMs: number; status: number }
    'never-waited': { plan: string }
    'no-usable-wait': Record<never, never>
    'waits-of-a-day': { refused: number }
  }
}

interface SilentWait {
  readonly refusal: number
  readonly retry: number
  /** Whether others were under way beside the refusal: decided after it, they may have taken what it promised. */
  readonly hadCompany: boolean
}

/**
 * The refusals after which the key stayed silent for as long as they asked, each with the request that ended the
 * silence. A refusal that was answered while others were still to be sent proves nothing.
 */
function* silentWaits(record: KeyRecord): Generator<SilentWait> {
  let lastSent = Number.NEGATIVE_INFINITY
  let lastHeard = Number.NEGATIVE_INFINITY
  let heard: Omit<SilentWait, 'retry'>[] = []
  for (let i = 0; i < record.size; i += 1) {
    // Everything that was answered after the last request went out has been followed by silence until now.
    heard = heard.filter(({ refusal }) => record.receivedMs[refusal] >= lastSent)
    // Of several that are under way at once another one may have had what was there.
    const isAlone = !(record.sentMs[i + 1] < record.receivedMs[i])
    for (const each of isAlone ? heard : []) {
      const dueMs = record.receivedMs[each.refusal] + record.waitMs[each.refusal]
      if (record.sentMs[i] >= dueMs) yield { ...each, retry: i }
    }
    lastSent = record.sentMs[i]
    const hadCompany = lastHeard > record.sentMs[i]
    const heardAt = record.receivedMs[i]
    lastHeard = Math.max(lastHeard, Number.isNaN(heardAt) ? Number.POSITIVE_INFINITY : heardAt)
    if (record.status[i] === 429 && !Number.isNaN(record.waitMs[i])) heard.push({ refusal: i, hadCompany })
  }
}

/**
 * A run goes on after refusals, to see the limit; a target may ban it for that, with a longer wait than the refusals
 * before it had named. Whether a client that obeys is banned is THROTTLE-6's matter.
 */
const isBan = (record: KeyRecord, refusal: number, retry: number, window: KeyWindow): boolean =>
  isBeyondMinute(record, retry, window) && !isBeyondMinute(record, refusal, window)

export const retryAfterHonest = defineCheck({
  id: 'throttle.retry-after-honest',
  promise: 'Whoever stays silent for as long as Retry-After says is then admitted.',
  clauses: ['THROTTLE-4'],
  reads: 'everything',
  judge(evidence) {
    const shared = heldBackKey(evidence)
    if (shared) return inconclusive('held-by-another-key', { plan: shared.plan }, shared.x)
    let refused = 0
    let beyond = 0
    let waits = 0
    let named = 0
    const witnesses: string[] = []
    for (const { plan, record, window } of judgedKeys(evidence)) {
      for (let i = 0; i < record.size; i += 1) {
        // What was hammered to provoke a ban was not waited for.
        if (record.status[i] !== 429 || record.ordinary[i] === 0) continue
        refused += 1
        if (isBeyondMinute(record, i, window)) beyond += 1
        if (!Number.isNaN(record.waitMs[i])) named += 1
      }
      for (const { refusal, retry, hadCompany } of silentWaits(record)) {
        const status = record.status[retry]
        // A 403 on a key that was refused before is a ban.
        if (status === 0 || status === 403 || status >= 500 || record.ordinary[retry] === 0) continue
        if (status === 429 && hadCompany) continue
        if (status === 429 && !isBan(record, refusal, retry, window)) {
          // Whoever else spends the key may have had what was there.
          if (!isQuiet(record)) return inconclusive('quota-not-judged', { plan, reason: 'key-not-quiet' })
          const facts = {
            plan,
            promisedMs: Math.round(record.waitMs[refusal]),
            waitedMs: Math.round(record.sentMs[retry] - record.receivedMs[refusal]),
            status,
          }
          return fail('refused-after-waiting', facts, record.witness(refusal), record.witness(retry))
        }
        waits += 1
        if (witnesses.length < 6) witnesses.push(record.witness(refusal), record.witness(retry))
      }
    }
    if (waits > 0) return pass('held', { examined: waits }, ...witnesses)
    if (refused === 0) return notTested('never-refused', { sent: evidence.exchanges.length })
    if (beyond === refused) return notTested('waits-of-a-day', { refused })
    return named === 0 ? inconclusive('no-usable-wait', {}) : inconclusive('never-waited', { plan: 'any' })
  },
})
