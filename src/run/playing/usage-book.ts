import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { countsAgainst, partitionOf, windowOfQuota } from '../../contract/partitions.js'
import { driftMargin } from '../../probes/moves/fresh-window.js'

/** What went out by a contract file: how many requests of a probe, with which credential, the last of them when. */
export interface Use {
  readonly at: number
  readonly credential: string
  readonly probe: string
  readonly count: number
}

/** What a run has spent of every quota of its contract, so that what is played for one leaves room in the others. */
export interface UsageBook {
  used(use: Use): void
  /** When anything was last sent that counts in this partition of the quota; 0 for never. */
  lastUsedAt(quota: QuotaSpec, partition: string): number
  /** What is certainly left of a quota at this moment, and when a number of requests has room in it again. */
  left(quota: QuotaSpec, partition: string, now: number): number
  roomAt(quota: QuotaSpec, partition: string, requests: number): number
}

/** A request counts as late as the last of its load, so that room is never taken for granted too soon. */
export const createUsageBook = ({ quotas }: ApiContract, timeScale: number): UsageBook => {
  const uses: Use[] = []
  const longestMs = Math.max(...quotas.map((quota) => windowOfQuota(quota, timeScale)))
  const within = (quota: QuotaSpec, partition: string): Use[] =>
    uses.filter(
      ({ credential, probe }) =>
        countsAgainst(quota, credential, probe) && partitionOf(quota, credential, probe) === partition,
    )
  const mostOf = (quota: QuotaSpec, partition: string): number => {
    const limits = Object.entries(quota.limit)
      .filter(([credential]) => quota.requests.some((probe) => partitionOf(quota, credential, probe) === partition))
      .map(([, limit]) => limit)
    return quota.burst ?? Math.min(...limits)
  }
  const costOf = ({ cost }: QuotaSpec, { probe, count }: Use): number => count * (cost[probe] ?? 1)
  const silenceMs = (quota: QuotaSpec) => windowOfQuota(quota, timeScale) * driftMargin
  return {
    used(use) {
      uses.push(use)
      while (uses.length > 0 && uses[0].at < use.at - 2 * longestMs) uses.shift()
    },
    lastUsedAt: (quota, partition) => within(quota, partition).reduce((last, { at }) => Math.max(last, at), 0),
    left(quota, partition, now) {
      const recent = within(quota, partition).filter(({ at }) => at > now - silenceMs(quota))
      return Math.max(0, mostOf(quota, partition) - recent.reduce((sum, use) => sum + costOf(quota, use), 0))
    },
    roomAt(quota, partition, requests) {
      let room = mostOf(quota, partition)
      for (const use of within(quota, partition).toReversed()) {
        room -= costOf(quota, use)
        if (room < Math.min(requests, mostOf(quota, partition))) return use.at + silenceMs(quota)
      }
      return 0
    },
  }
}
