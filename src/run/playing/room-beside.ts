import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { noLongerLimit } from '../../contract/key-quota.js'
import { countsAgainst, partitionOf, windowOfQuota } from '../../contract/partitions.js'
import { quotasBeside } from '../../contract/quotas-beside.js'
import type { KeyFacts } from '../../probes/probe.js'
import type { UsageBook } from './usage-book.js'

/** So long is waited at most for another quota to have room again: a minute's window, not an hour's. */
const mostWaitedMs = 600_000

/**
 * What a probe sends on a quota of a contract file, as a rule: its limit in each of two windows and a half, and some
 * questions. The most that it may send, with every question asked again, would leave no room for it beside a longer quota.
 */
export const usualOf = ({ quota }: Pick<KeyFacts, 'quota'>): number => Math.ceil(2.5 * quota.limit) + 10

/**
 * What is left for a quota's requests of the quotas that they count against besides and whose windows are longer. A
 * shorter one is kept by the pace.
 */
export interface RoomBeside {
  /** The least that is left of any of them. */
  left(quota: QuotaSpec, key: KeyFacts): number
  /** When each that is worth waiting for has room for so many, with why to wait. */
  waits(quota: QuotaSpec, key: KeyFacts, requests: number): { readonly at: number; readonly why: string }[]
}

export const createRoomBeside = (
  contract: ApiContract,
  timeScale: number,
  book: UsageBook,
  now: () => number,
): RoomBeside => {
  const longerThan = (quota: QuotaSpec, { credential = '', request = quota.requests[0] }: KeyFacts) =>
    quotasBeside(contract, quota)
      .filter((other) => windowOfQuota(other, timeScale) > windowOfQuota(quota, timeScale))
      .filter((other) => countsAgainst(other, credential, request))
      .map((other) => ({ other, partition: partitionOf(other, credential, request) }))
  return {
    left: (quota, key) =>
      Math.min(
        noLongerLimit,
        ...longerThan(quota, key).map(({ other, partition }) => book.left(other, partition, now())),
      ),
    waits: (quota, key, requests) =>
      longerThan(quota, key)
        .filter(({ other }) => windowOfQuota(other, timeScale) <= mostWaitedMs)
        .map(({ other, partition }) => ({
          at: book.roomAt(other, partition, requests),
          why: `room in the quota ${other.id}`,
        })),
  }
}
