import { type Evidence, exchangesOf } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { placesOf } from '../kit/numbers.js'
import { keyRecord } from '../readings/key-record.js'
import { viewOf } from '../readings/quota-views.js'
import { runClock } from '../readings/run-clock.js'
import { refusalsOfOthers } from './refusals-of-others.js'

interface HeldBack {
  readonly x: Exchange
  readonly plan: string
  /** How many requests this run had sent with the key within the window. */
  readonly sent: number
  readonly limit: number
}

/** If the key's own last answer shows fewer than this, somebody else may have used them up meanwhile. */
const leastRemaining = 3

/** Whether the next request beside the same other key was served: then nobody had spent the quota. */
const isServedNext = (asked: readonly Exchange[], x: Exchange): boolean => {
  const next = asked.find(
    (other) => other.key === x.key && other.intent.spent === x.intent.spent && other.sentAt > x.sentAt,
  )
  return next?.response?.status === 200
}

/**
 * A key that was refused although it was far from its limit, while another plan's key was spent: the two share a bucket
 * (QUOTA-4). Far from its limit: this run had sent less than half of it in the last W, and the key's last answer in that time
 * showed enough left. A refusal that another quota of the contract may have made tells nothing. Undefined if there is no such
 * key.
 */
export const heldBackKey = (evidence: Evidence): HeldBack | undefined => {
  const { run } = evidence
  const { windowMs } = viewOf(evidence)
  const asked = exchangesOf(evidence, 'isolation', 'beside')
  const elsewhere = refusalsOfOthers(evidence)
  for (const x of asked) {
    const key = run.keys.find(({ name }) => name === x.key)
    if (!key || x.response?.status !== 429 || isServedNext(asked, x) || elsewhere.has(x.id)) continue
    const record = keyRecord(evidence, key.name, runClock(evidence))
    const from = x.sentAt - windowMs
    const earlier = placesOf(record.size, (i) => record.sentMs[i] < x.sentAt)
    const sent = earlier.filter((i) => record.sentMs[i] > from).length
    const last = earlier.findLast((i) => record.status[i] === 200)
    const hadRoom = last !== undefined && record.sentMs[last] > from && !(record.remaining[last] < leastRemaining)
    const { limit } = key.quota
    if (sent < limit / 2 && hadRoom) return { x, plan: key.plan, sent, limit }
  }
  return undefined
}
