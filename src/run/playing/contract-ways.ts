import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import {
  atScale,
  contractForQuota,
  countsAgainst,
  longestBlockMs,
  partitionOf,
  quotasBeside,
  windowOfQuota,
} from '../../contract/partitions.js'
import { noLongerLimit } from '../../contract/plans.js'
import type { RunHead } from '../../evidence/journal.js'
import { driftMargin } from '../../probes/moves/fresh-window.js'
import { inventorySpellings, mostSpellings } from '../../probes/moves/refused-key.js'
import type { Asked, KeyFacts, Question } from '../../probes/probe.js'
import type { AnswerReader } from '../../readings/answers.js'
import { answersWhilePlayed } from '../../readings/answers.js'
import type { RunLog } from './run-log.js'

/** What went out by a contract file: how many requests of a probe, with which credential, the last of them when. */
interface Use {
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

/** A quota of a contract file, with how answers are read by it. */
export interface ContractQuota {
  readonly contract: ApiContract
  readonly spec: QuotaSpec
  /** The same with its window as the target shows it. */
  readonly shown: QuotaSpec
  readonly reads: AnswerReader
}

/** The probe of the contract file by which a key is spent. */
export const requestNameOf = ({ request }: KeyFacts, { spec }: Pick<ContractQuota, 'spec'>): string =>
  request ?? spec.requests[0]

/** How the probes of a run ask and read for one quota of a contract file. */
interface ContractWays {
  readonly quota: ContractQuota
  /** What other quotas allow a key in a second while this one is spent; infinite where there is none. */
  mostPerSecond(key: KeyFacts): number
  /** The longest time for which a refusal or a ban lasts by the contract, in milliseconds. */
  readonly longestBlockMs: number
  ordinaryOf(key: KeyFacts): Asked
  spellingsOf(key: KeyFacts): Readonly<Record<string, Partial<Question>>>
  lastUsedAt(key: KeyFacts): number
}

/** What a client may say of itself besides, without being anybody else: nothing of it opens a fresh quota. */
const disguises = [
  'another User-Agent',
  'another Accept',
] as const satisfies readonly (keyof typeof inventorySpellings)[]

/**
 * The same of where it comes from. To a target that trusts the proxies before it this is another address, so where a
 * quota counts by address it may well open another one.
 */
const otherAddresses = [
  'X-Forwarded-For',
  'X-Real-IP',
  'Forwarded',
] as const satisfies readonly (keyof typeof inventorySpellings)[]

const disguisesIn = ({ by }: QuotaSpec): [string, Partial<Question>][] =>
  (by === 'address' ? disguises : [...otherAddresses, ...disguises]).map((name) => [name, inventorySpellings[name]])

/**
 * Whatever else counts in the same partition of a quota, by name: its other probes, other credentials where it counts
 * by address, and the same request in disguise. A request that costs more than the ordinary one is none of them: a
 * refusal of it would tell nothing.
 */
const spellingsIn = (contract: ApiContract, quota: QuotaSpec, key: KeyFacts): [string, Partial<Question>][] => {
  const { credential = key.name, request = quota.requests[0] } = key
  const costOf = (probe: string) => quota.cost[probe] ?? 1
  const isSame = (who: string, probe: string) =>
    countsAgainst(quota, who, probe) &&
    partitionOf(quota, who, probe) === key.name &&
    costOf(probe) <= costOf(request) &&
    quotasBeside(contract, quota).every((other) => countsAgainst(other, who, probe) || !other.requests.includes(probe))
  const probes = quota.requests
    .filter((probe) => probe !== request && isSame(credential, probe))
    .map((probe): [string, Partial<Question>] => [`the probe ${probe}`, { request: probe }])
  const credentials = Object.keys(contract.credentials)
    .filter((who) => who !== credential && isSame(who, request))
    .map((who): [string, Partial<Question>] => [`the credential ${who}`, { credential: who }])
  return [...probes, ...credentials, ...disguisesIn(quota)].slice(0, mostSpellings)
}

export const contractWays = (
  { contract: whole, spec, book }: { contract: ApiContract; spec: QuotaSpec; book?: UsageBook },
  { wallStartMs, timeScale }: Pick<RunHead, 'wallStartMs' | 'timeScale'>,
  log: Pick<RunLog, 'clock'>,
): ContractWays => {
  const contract = contractForQuota(whole, spec)
  return {
    quota: {
      contract,
      spec,
      shown: atScale(spec, timeScale),
      reads: answersWhilePlayed(contract, atScale(spec, timeScale), wallStartMs, log.clock),
    },
    longestBlockMs: longestBlockMs(contract) / timeScale,
    mostPerSecond: ({ mostPerWindow = Number.POSITIVE_INFINITY }) =>
      (mostPerWindow * 1000) / windowOfQuota(spec, timeScale),
    ordinaryOf: ({ request = spec.requests[0] }) => ({ request }),
    spellingsOf: (key) => Object.fromEntries(spellingsIn(contract, spec, key)),
    lastUsedAt: ({ name }) => book?.lastUsedAt(spec, name) ?? 0,
  }
}

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
