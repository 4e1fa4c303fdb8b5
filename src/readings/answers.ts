import { type ApiContract, fieldsShowing, type QuotaSpec } from '../contract/api-contract.js'
import { partitionOf } from '../contract/partitions.js'
import { petstore } from '../contract/petstore/petstore.js'
import type { Exchange } from '../evidence/exchange.js'
import { clockErrorOf, type Ledger, ledgerFlags } from '../evidence/ledger.js'
import {
  absent,
  type NumberHeader,
  numberIn,
  type RateHeaders,
  type RetryAfter,
  readRetryAfter,
  valuesOfHeaders,
  waitUntilReset,
  withValue,
} from './limit-values.js'
import { limitReader } from './read-limits.js'
import { settledStatus, statusOfExchange, statusOfRow } from './refusals.js'
import type { TargetClock } from './target-clock.js'

/** What one answer says of one quota: Reset is in seconds since the epoch, whatever the contract's unit. */
export interface AnswerReading extends RateHeaders {
  readonly retryAfter: RetryAfter
}

const saysNothing: AnswerReading = { limit: absent, remaining: absent, reset: absent, retryAfter: { form: 'absent' } }

/** In quotes, where a number stands that is none in its field. */
const quoted = (header: NumberHeader): NumberHeader =>
  header.state === 'malformed' && numberIn(header.text) !== undefined ? { ...header, text: `"${header.text}"` } : header

/** The limit that is agreed, where no field shows it and it is one for all. */
const agreedLimit = (contract: ApiContract, { limit, burst }: QuotaSpec): NumberHeader | undefined => {
  if (fieldsShowing(contract, 'limit').length > 0) return undefined
  const agreed = Object.values(limit)
  const value = burst ?? (new Set(agreed).size === 1 ? agreed[0] : undefined)
  return value === undefined ? undefined : { state: 'number', value, text: String(value), plain: true }
}

/**
 * Reads single answers by a contract for one of its quotas, its window as the target shows it. Where the contract has no
 * Retry-After, the Reset of a refusal stands for it. `x` has its settled status.
 */
export const answerReader = (
  contract: ApiContract,
  quota: QuotaSpec,
  wallStartMs: number,
): ((x: Exchange) => AnswerReading) => {
  const read = limitReader(contract, quota)
  const agreed = agreedLimit(contract, quota)
  return ({ response, receivedAt }) => {
    if (!response || receivedAt === null) return saysNothing
    const { headers, status } = response
    const { limit, remaining, reset } = read(valuesOfHeaders(headers))
    const receivedEpochS = (wallStartMs + receivedAt) / 1000
    const isFromNow = reset.state === 'number' && reset.from === 'now'
    const mayStandIn = contract.retryAfter === null && status === settledStatus.quota
    const seconds = mayStandIn ? waitUntilReset(reset, receivedEpochS) : undefined
    return {
      limit: agreed ?? quoted(limit),
      remaining: quoted(remaining),
      reset: quoted(isFromNow ? { ...withValue(reset, receivedEpochS + reset.value), plain: true } : reset),
      retryAfter: seconds === undefined ? readRetryAfter(headers) : { form: 'seconds', seconds: Math.ceil(seconds) },
    }
  }
}

/** The same by the Petstore Service Interface. */
export const petstoreReader = answerReader(petstore, petstore.quotas[0], 0)

/** Whether every moment that the contract's answers name is counted from their receipt. */
export const namesWaits = ({ headers }: Pick<ApiContract, 'headers'>): boolean => {
  const resets = headers.filter((field) => field.is === 'reset' || field.is.startsWith('draft'))
  return resets.every(({ as }) => as === undefined || as === 'delta-s' || as === 'delta-ms' || as === 'duration')
}

/** What was sent for another quota counts, but is no part of what a probe played for this one. */
const otherProbe = (probe: string): string => `for another quota: ${probe}`

/** An exchange as one quota sees it: on the key that it counts by, with its settled status. Its headers are as they came. */
export const exchangeOfQuota = (x: Exchange, contract: ApiContract, quota: QuotaSpec): Exchange => ({
  ...x,
  key: partitionOf(quota, x.key ?? '', x.operation ?? ''),
  credential: 'bearer',
  probe: x.quota === undefined || x.quota === quota.id ? x.probe : otherProbe(x.probe),
  response: x.response && x.receivedAt !== null ? { ...x.response, status: statusOfExchange(x, contract) } : x.response,
})

/** The same of a load, with Reset in seconds since the epoch. Of one for another quota the fields are not this one's. */
export const ledgerOfQuota = (ledger: Ledger, contract: ApiContract, quota: QuotaSpec, wallStartMs: number): Ledger => {
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
      ? reset.map((at, i) => (status[i] === settledStatus.quota ? Math.max(0, at - receivedEpochS(i)) : Number.NaN))
      : rows.retryAfter
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
  /** Of an exchange as the quota sees it. */
  read(x: Exchange): AnswerReading
  ledger(ledger: Ledger): Ledger
  clock(): TargetClock
}

/** @param clock the target's clock as it is known so far. */
export const answersWhilePlayed = (
  contract: ApiContract,
  quota: QuotaSpec,
  wallStartMs: number,
  clock: () => TargetClock,
): AnswerReader => ({
  exchange: (x) => exchangeOfQuota(x, contract, quota),
  read: answerReader(contract, quota, wallStartMs),
  ledger: (ledger) => ledgerOfQuota(ledger, contract, quota, wallStartMs),
  clock: () => (namesWaits(contract) ? { from: wallStartMs, to: wallStartMs, told: false } : clock()),
})
