import type { Evidence } from '../evidence/evidence.js'
import { type Exchange, isAnswered } from '../evidence/exchange.js'
import { clockErrorOf, type Ledger, ledgerFlags } from '../evidence/ledger.js'
import type { Witness } from '../kit/witness.js'
import { type NumberHeader, type RateHeaders, type RetryAfter, readRetryAfter } from './limit-values.js'
import { rateHeaders } from './read-limits.js'

/** The rate-limit headers of one answer of an operation, wherever it was recorded. */
export interface RateReading {
  readonly witness: Witness
  /** The key that it answers; null where the credential was no valid key, so that no plan is known. */
  readonly key: string | null
  /** What was asked for; absent of the bundled contract's loads. */
  readonly operation?: string
  readonly status: number
  readonly sentAt: number
  readonly receivedAt: number
  readonly headers: RateHeaders
  readonly retryAfter: RetryAfter
}

const ofExchange = (x: Exchange): RateReading | undefined => {
  if (x.operation === null || !isAnswered(x)) return undefined
  const { status, headers } = x.response
  return {
    witness: { id: x.id },
    key: x.credential === 'bearer' && status !== 401 ? x.key : null,
    operation: x.operation,
    status,
    sentAt: x.sentAt,
    receivedAt: x.receivedAt,
    headers: rateHeaders(headers),
    retryAfter: readRetryAfter(headers),
  }
}

const cell = (value: number, twice: boolean): NumberHeader => {
  if (Number.isNaN(value)) return { state: 'absent' }
  if (!Number.isFinite(value)) return { state: 'malformed', text: 'not a plain number' }
  return { state: 'number', value, text: String(value), plain: !twice }
}

const retryCell = (value: number, isDate: boolean): RetryAfter => {
  if (Number.isNaN(value)) return { form: 'absent' }
  if (!Number.isFinite(value)) return { form: 'malformed', text: 'not a plain number', seconds: null }
  return isDate ? { form: 'date', epochMs: value * 1000 } : { form: 'seconds', seconds: value }
}

const ofLedger = ({ head, rows }: Ledger, i: number): RateReading | undefined => {
  if (rows.status[i] === 0) return undefined
  const errorMs = clockErrorOf(head)
  const twice = (rows.flags[i] & ledgerFlags.duplicateHeader) !== 0
  return {
    witness: { ledger: head.id, row: i },
    key: head.key,
    operation: head.operation,
    status: rows.status[i],
    sentAt: rows.sentUs[i] / 1000 - errorMs,
    receivedAt: rows.receivedUs[i] / 1000 + errorMs,
    headers: {
      limit: cell(rows.limit[i], twice),
      remaining: cell(rows.remaining[i], twice),
      reset: cell(rows.reset[i], twice),
    },
    retryAfter: retryCell(rows.retryAfter[i], (rows.flags[i] & ledgerFlags.retryAfterIsDate) !== 0),
  }
}

/** Statuses that the operations themselves answer with. Gateways and parsers answer with others, and owe no headers. */
const operationStatuses = new Set([200, 400, 401, 404, 429])

/** The rate-limit headers of every answer of a run, single exchanges first; a generator, for loads have a million. */
export function* rateReadings(evidence: Evidence): Generator<RateReading> {
  for (const x of evidence.exchanges) {
    const reading = ofExchange(x)
    if (reading && operationStatuses.has(reading.status)) yield reading
  }
  for (const ledger of evidence.ledgers) {
    // Of a load for another quota only that one's fields were kept.
    if (evidence.view && ledger.head.quota !== evidence.view.quota.id) continue
    for (let i = 0; i < ledger.rows.length; i += 1) {
      const reading = ofLedger(ledger, i)
      if (reading && operationStatuses.has(reading.status)) yield reading
    }
  }
}
