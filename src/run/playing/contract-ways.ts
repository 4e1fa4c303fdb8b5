import { longestBlockMs } from '../../contract/agreed-block.js'
import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { atScale, contractForQuota, countsAgainst, partitionOf, windowOfQuota } from '../../contract/partitions.js'
import { quotasBeside } from '../../contract/quotas-beside.js'
import type { RunHead } from '../../evidence/journal.js'
import { inventorySpellings, mostSpellings } from '../../probes/moves/refused-key.js'
import type { Asked, KeyFacts, Question } from '../../probes/probe.js'
import { answersWhilePlayed } from '../../readings/answers.js'
import type { ContractQuota } from './key-session.js'
import type { RunLog } from './run-log.js'
import type { UsageBook } from './usage-book.js'

/** How the probes of a run ask and read for one quota of a contract file. */
export interface ContractWays {
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
