import type { QuotaSpec } from '../../contract/api-contract.js'
import {
  countsAgainst,
  longerThan,
  mostAtOnceIn,
  partitionOf,
  shorterThan,
  windowOfQuota,
} from '../../contract/partitions.js'
import { noLongerLimit } from '../../contract/plans.js'
import { driftMargin, nearAnswerMs } from '../../probes/moves/fresh-window.js'
import type { KeyFacts } from '../../probes/probe.js'

/** What was sent: how many requests of a kind, by which credential, when the last one, and how many were refused. */
interface Use {
  readonly at: number
  readonly credential: string
  readonly request: string
  readonly count: number
  readonly refused?: number
}

/** Who spends a quota: what it counts by, and what is sent for that. */
type Spender = Pick<KeyFacts, 'name' | 'credential' | 'request' | 'inTurn'>

/** The longest wait for another quota to have room again: enough for a minute's window, not for an hour's. */
export const mostWaitedMs = 600_000

/** Every request of a load counts from the moment of its last one, so that room is never assumed too soon. */
export const createUsageBook = (quotas: readonly QuotaSpec[], timeScale: number) => {
  const uses: Use[] = []
  const windowMs = (quota: QuotaSpec) => windowOfQuota(quota, timeScale)
  const longestMs = Math.max(...quotas.map(windowMs))
  const within = (quota: QuotaSpec, partition: string): Use[] =>
    uses.filter(
      ({ credential, request }) =>
        countsAgainst(quota, credential, request) && partitionOf(quota, credential, request) === partition,
    )
  const costOf = ({ cost }: QuotaSpec, { request, count }: Use): number => count * (cost[request] ?? 1)
  /** Uses without refused requests, which other quotas usually don't count; one that does will refuse some later requests. */
  const served = (quota: QuotaSpec, partition: string): Use[] =>
    within(quota, partition)
      .map((use) => ({ ...use, count: use.count - (use.refused ?? 0) }))
      .filter(({ count }) => count > 0)
  const silenceMs = (quota: QuotaSpec) => windowMs(quota) * driftMargin
  const left = (quota: QuotaSpec, partition: string, now: number): number => {
    const recent = within(quota, partition).filter(({ at }) => at > now - silenceMs(quota))
    return Math.max(0, mostAtOnceIn(quota, partition) - recent.reduce((sum, use) => sum + costOf(quota, use), 0))
  }
  const roomAt = (quota: QuotaSpec, partition: string, requests: number, uses = within(quota, partition)): number => {
    const most = mostAtOnceIn(quota, partition)
    let room = most
    for (const use of uses.toReversed()) {
      room -= costOf(quota, use)
      if (room < Math.min(requests, most)) return use.at + silenceMs(quota)
    }
    return 0
  }
  const partsOf =
    (beside: typeof longerThan) =>
    (quota: QuotaSpec, { name, credential = name, request = quota.requests[0] }: Spender) =>
      beside({ quotas }, quota, credential, request).map((other) => ({
        other,
        partition: partitionOf(other, credential, request),
      }))
  const [longer, shorter] = [partsOf(longerThan), partsOf(shorterThan)]
  return {
    used(use: Use) {
      uses.push(use)
      while (uses[0].at < use.at - 2 * longestMs) uses.shift()
    },
    /** When a request that counts on this key of the quota was last sent; 0 if never or more than two windows ago. */
    lastUsedAt: (quota: QuotaSpec, { name }: Spender) =>
      within(quota, name).reduce((last, { at }) => Math.max(last, at), 0),
    /** When this many requests are within the limit of any limiter: with 60 a minute, the 61st comes 60.6 s after the first. */
    roomAt: (quota: QuotaSpec, { name }: Spender, requests = 1) => roomAt(quota, name, requests),
    /** When so many requests stay within each limit that they count against. */
    roomInAll: ({ credential, request }: Pick<Use, 'credential' | 'request'>, requests: number) =>
      Math.max(
        0,
        ...quotas
          .filter((quota) => countsAgainst(quota, credential, request))
          .map((quota) => roomAt(quota, partitionOf(quota, credential, request), requests)),
      ),
    /** What is certainly left of the longer quotas on the same requests; pacing keeps the shorter ones. */
    leftBeside: (quota: QuotaSpec, key: Spender, now: number) =>
      Math.min(
        noLongerLimit,
        ...longer(quota, key)
          .filter(({ other }) => windowMs(other) > mostWaitedMs)
          .map(({ other, partition }) => left(other, partition, now)),
      ),
    /** When one more request is within the shorter quotas on the same requests. */
    roomInShorter: (quota: QuotaSpec, key: Spender) =>
      Math.max(
        0,
        ...shorter(quota, key).map(({ other, partition }) => roomAt(other, partition, 1, served(other, partition))),
      ),
    /** Splits requests into groups, as large and as early as the shorter quotas on the same requests allow. */
    groupsInShorter(quota: QuotaSpec, key: Spender, amount: number, now: number): { atMs: number; amount: number }[] {
      const { credential = key.name, request = quota.requests[0], inTurn = [{ credential, request }] } = key
      const beside = inTurn.flatMap((turn) => shorter(quota, { ...key, ...turn }))
      const isFirst = ({ other, partition }: (typeof beside)[number], at: number) =>
        at === beside.findIndex((each) => each.other === other && each.partition === partition)
      const taken = beside.filter(isFirst).map(({ other, partition }) => ({
        counts: (n: number) => {
          const turn = inTurn[n % inTurn.length]
          return partitionOf(other, turn.credential, turn.request) === partition
        },
        most: mostAtOnceIn(other, partition),
        lastsMs: silenceMs(other) + nearAnswerMs,
        at: served(other, partition).flatMap((use) => Array<number>(costOf(other, use)).fill(use.at)),
      }))
      const groups: { atMs: number; amount: number }[] = []
      for (let n = 0, at = now; n < amount; n += 1) {
        const own = taken.filter(({ counts }) => counts(n))
        for (const each of own) at = Math.max(at, (each.at.at(-each.most) ?? Number.NEGATIVE_INFINITY) + each.lastsMs)
        for (const each of own) each.at.push(at)
        const last = groups.at(-1)
        if (last?.atMs === at - now) last.amount += 1
        else groups.push({ atMs: at - now, amount: 1 })
      }
      return groups
    },
    /** When each longer quota that is worth waiting for has room for this many requests, with the reason to wait. */
    waitsBeside: (quota: QuotaSpec, key: Spender, requests: number) =>
      longer(quota, key)
        .filter(({ other }) => windowMs(other) <= mostWaitedMs)
        .map(({ other, partition }) => ({
          at: roomAt(other, partition, requests),
          why: `room in the quota ${other.id}`,
        })),
  }
}

/** What a run has spent of every quota, so that its requests fit into each of them. */
export type UsageBook = ReturnType<typeof createUsageBook>
