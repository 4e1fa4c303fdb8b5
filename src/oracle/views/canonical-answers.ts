import type { ApiContract, ContractRequest, QuotaSpec } from '../../contract/api-contract.js'
import { partitionOf } from '../../contract/partitions.js'
import { fieldsShowing } from '../../contract/shown-parts.js'
import type { Exchange, HeaderLine } from '../../evidence/exchange.js'
import { clockErrorOf, type Ledger, type LedgerRow, ledgerFlags } from '../../evidence/ledger.js'
import { decimalIn } from '../../kit/decimal.js'
import type { NumberHeader } from '../../readings/limit-values.js'
import { waitUntilReset } from '../../readings/limit-values.js'
import { readLimits } from '../../readings/read-limits.js'
import { isServed, type JudgedAnswer, refusalOf } from '../../readings/refusals.js'
import type { TargetClock } from '../../readings/target-clock.js'

/** What was sent for another quota counts, but is no part of what a probe played for this one. */
const otherProbe = (probe: string): string => `for another quota: ${probe}`

const canonicalNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const
const isCanonical = ([name]: HeaderLine): boolean => /^x-ratelimit-(?:limit|remaining|reset)$/i.test(name)

const linesOf = (name: string, header: NumberHeader): HeaderLine[] => {
  if (header.state === 'absent') return []
  // What is not written plainly stays as it is; but not where the number is another than the one that is written.
  const isRead = header.state === 'number' && (header.plain || decimalIn(header.text) !== header.value)
  if (isRead) return [[name, String(header.value)]]
  // What is a number, and none in the field's own unit, must not be taken for one.
  const isMistakable = header.state === 'malformed' && decimalIn(header.text) !== undefined
  return [[name, isMistakable ? `"${header.text}"` : header.text]]
}

/** What a contract's fields say, as the three headers that the engine reads: Reset in seconds since the epoch. */
const canonicalLimits = (
  headers: readonly HeaderLine[],
  contract: ApiContract,
  quota: QuotaSpec,
  receivedEpochMs: number,
): HeaderLine[] => {
  const { remaining, reset, ...shown } = readLimits(headers, contract, quota)
  const agreed = Object.values(quota.limit)
  // Where no field shows the limit it is the agreed one, as far as that is one for all.
  const isShown = fieldsShowing(contract, 'limit').length > 0
  const known = quota.burst ?? (new Set(agreed).size === 1 ? agreed[0] : undefined)
  const limit: NumberHeader =
    isShown || known === undefined ? shown.limit : { state: 'number', value: known, text: String(known), plain: true }
  const moment: NumberHeader =
    reset.state === 'number' && reset.from === 'now'
      ? { ...reset, value: receivedEpochMs / 1000 + reset.value, plain: true }
      : reset
  const [limitName, remainingName, resetName] = canonicalNames
  return [...linesOf(limitName, limit), ...linesOf(remainingName, remaining), ...linesOf(resetName, moment)]
}

/** The wait that stands for Retry-After where a contract has none: until the reset that a refusal shows. */
const waitInstead = (
  headers: readonly HeaderLine[],
  contract: ApiContract,
  quota: QuotaSpec,
  receivedEpochMs: number,
): HeaderLine[] => {
  if (contract.retryAfter !== null) return []
  const seconds = waitUntilReset(readLimits(headers, contract, quota).reset, receivedEpochMs / 1000)
  return seconds === undefined ? [] : [['Retry-After', String(Math.ceil(seconds))]]
}

/** What a contract says of an answer: served, refused by a quota, banned; undefined for none of them. */
const kindOf = (
  answer: JudgedAnswer,
  contract: ApiContract,
  probe: string,
): keyof typeof canonicalStatus | undefined => {
  const asked = contract.requests[probe]
  return refusalOf(answer, contract) ?? (asked && isServed(answer, asked, contract) ? 'served' : undefined)
}

/** Statuses that the engine's checks know: served, refused by a quota, banned. */
const canonicalStatus = { served: 200, quota: 429, ban: 403 } as const

export const viewedExchange = (x: Exchange, contract: ApiContract, quota: QuotaSpec, wallStartMs: number): Exchange => {
  const { response, receivedAt, key } = x
  const seen = {
    ...x,
    key: partitionOf(quota, key ?? '', x.operation ?? ''),
    credential: 'bearer',
    probe: x.quota === undefined || x.quota === quota.id ? x.probe : otherProbe(x.probe),
  }
  if (!response || receivedAt === null) return seen
  const { headers } = response
  const status = statusOfExchange(x, contract)
  const atMs = wallStartMs + receivedAt
  return {
    ...seen,
    response: {
      ...response,
      status,
      headers: [
        ...canonicalLimits(headers, contract, quota, atMs),
        ...(status === canonicalStatus.quota ? waitInstead(headers, contract, quota, atMs) : []),
        ...headers.filter((line) => !isCanonical(line)),
      ],
    },
  }
}

/** Whether every moment that the contract's answers name is counted from their receipt. */
export const namesWaits = ({ headers }: ApiContract): boolean => {
  const resets = headers.filter((field) => field.is === 'reset' || field.is.startsWith('draft'))
  return resets.every(({ as }) => as === undefined || as === 'delta-s' || as === 'delta-ms' || as === 'duration')
}

/** The status of a single exchange as the engine knows it; 0 where no answer came. */
export const statusOfExchange = ({ response, operation }: Exchange, contract: ApiContract): number => {
  if (!response) return 0
  const { status, headers, body } = response
  const kind = kindOf({ status, headers, body: body.content }, contract, operation ?? '')
  return kind === undefined ? status : canonicalStatus[kind]
}

/** The same of a row of a load. */
export const statusOfRow = (
  { status, flags }: Pick<LedgerRow, 'status' | 'flags'>,
  probe: ContractRequest | undefined,
): number => {
  if ((flags & ledgerFlags.refusedByRule) !== 0) return canonicalStatus.quota
  if ((flags & ledgerFlags.bannedByRule) !== 0) return canonicalStatus.ban
  const expected = probe?.expect ?? []
  const isExpected = expected.length === 0 ? status >= 200 && status < 300 : expected.includes(status)
  return isExpected ? canonicalStatus.served : status
}

export const viewedLedger = (ledger: Ledger, contract: ApiContract, quota: QuotaSpec, wallStartMs: number): Ledger => {
  const { head, rows } = ledger
  const operation = head.operation ?? ''
  const isOwn = head.quota === undefined || head.quota === quota.id
  const asked = contract.requests[operation]
  const status = rows.status.map((each, i) => statusOfRow({ status: each, flags: rows.flags[i] }, asked))
  const unread = () => new Float64Array(rows.length).fill(Number.NaN)
  // Counted from the latest moment of the receipt, from which whoever reads it counts too.
  const receivedEpochS = (i: number) => (wallStartMs + rows.receivedUs[i] / 1000 + clockErrorOf(head)) / 1000
  const reset = rows.reset.map((seconds, i) =>
    (rows.flags[i] & ledgerFlags.resetFromNow) === 0 ? seconds : receivedEpochS(i) + seconds,
  )
  const retryAfter =
    contract.retryAfter === null && isOwn
      ? reset.map((at, i) => (status[i] === canonicalStatus.quota ? Math.max(0, at - receivedEpochS(i)) : Number.NaN))
      : rows.retryAfter
  // What another quota's load kept of the fields was that quota's.
  const fields = isOwn ? { reset } : { limit: unread(), remaining: unread(), reset: unread() }
  return {
    head: {
      ...head,
      key: head.key === null ? null : partitionOf(quota, head.key, operation),
      probe: isOwn ? head.probe : otherProbe(head.probe),
    },
    rows: { ...rows, status, retryAfter, ...fields },
  }
}

/** How the answers of a run are read by one quota of its contract, one at a time while it is played. */
export interface AnswerReader {
  exchange(x: Exchange): Exchange
  ledger(ledger: Ledger): Ledger
  /** The status of a row as the engine knows it: 200, 429, 403, or another. */
  statusOf(row: LedgerRow, probe: string): number
  clock(): TargetClock
}

/** @param clock the target's clock as it is known so far. */
export const answerReader = (
  contract: ApiContract,
  quota: QuotaSpec,
  wallStartMs: number,
  clock: () => TargetClock,
): AnswerReader => ({
  exchange: (x) => viewedExchange(x, contract, quota, wallStartMs),
  ledger: (ledger) => viewedLedger(ledger, contract, quota, wallStartMs),
  statusOf: (row, probe) => statusOfRow(row, contract.requests[probe]),
  clock: () => (namesWaits(contract) ? { from: wallStartMs, to: wallStartMs, told: false } : clock()),
})
