import type { ApiContract, QuotaSpec } from '../../contract/any/api-contract.js'
import { atScale, contractOf, countsAgainst, partitionOf, windowOfQuota } from '../../contract/any/partitions.js'
import type { RunHead } from '../../evidence/journal.js'
import { answerReader } from '../../limits/views/canonical-answers.js'
import { mostSpellings } from '../../probes/moves/spellings.js'
import type { Asked, KeyFacts, Question } from '../../probes/probe.js'
import { quotasBeside } from '../plan/sections.js'
import type { RunLog } from '../run-log.js'
import type { ContractQuota } from './key-session.js'
import type { UsageBook } from './usage-book.js'

/** How the probes of a run ask and read for one quota of a contract file. */
export interface ContractWays {
  readonly quota: ContractQuota
  /** What other quotas allow in a second while this one is spent; infinite where there is none. */
  readonly mostPerSecond: number
  /** For how long a refusal blocks by the contract. */
  readonly blockedForMs: number
  ordinaryOf(key: KeyFacts): Asked
  spellingsOf(key: KeyFacts): Readonly<Record<string, Partial<Question>>>
  lastUsedAt(key: KeyFacts): number
}

/** So much of a shorter quota's rate is used, so that no limiter of it refuses what is meant for a longer one. */
const usedOfShorter = 0.9

/** What a client may say of itself besides, without being anybody else: nothing of it opens a fresh quota. */
const disguises = {
  'X-Forwarded-For': { headers: [['X-Forwarded-For', '203.0.113.7']] },
  'X-Real-IP': { headers: [['X-Real-IP', '203.0.113.8']] },
  Forwarded: { headers: [['Forwarded', 'for=203.0.113.10']] },
  'another User-Agent': { headers: [['User-Agent', 'somebody-else/1.0']] },
  'another Accept': { headers: [['Accept', 'application/*;q=0.9']] },
} as const satisfies Readonly<Record<string, Partial<Question>>>

/**
 * Whatever else counts in the same partition of a quota, by name: its other probes, other credentials where it counts
 * by address, and the same request in disguise. A request that costs more than the ordinary one is none of them: a
 * refusal of it would tell nothing.
 */
const spellingsIn = (contract: ApiContract, quota: QuotaSpec, key: KeyFacts): [string, Partial<Question>][] => {
  const { credential = key.name, request = quota.probes[0] } = key
  const costOf = (probe: string) => quota.cost[probe] ?? 1
  const isSame = (who: string, probe: string) =>
    countsAgainst(quota, who, probe) &&
    partitionOf(quota, who, probe) === key.name &&
    costOf(probe) <= costOf(request) &&
    quotasBeside(contract, quota).every((other) => countsAgainst(other, who, probe) || !other.probes.includes(probe))
  const probes = quota.probes
    .filter((probe) => probe !== request && isSame(credential, probe))
    .map((probe): [string, Partial<Question>] => [`the probe ${probe}`, { request: probe }])
  const credentials = Object.keys(contract.credentials)
    .filter((who) => who !== credential && isSame(who, request))
    .map((who): [string, Partial<Question>] => [`the credential ${who}`, { credential: who }])
  return [...probes, ...credentials, ...Object.entries(disguises)].slice(0, mostSpellings)
}

export const contractWays = (
  { contract: whole, spec, book }: { contract: ApiContract; spec: QuotaSpec; book?: UsageBook },
  { wallStartMs, timeScale }: Pick<RunHead, 'wallStartMs' | 'timeScale'>,
  log: Pick<RunLog, 'clock'>,
): ContractWays => {
  const contract = contractOf(whole, spec)
  const shorter = quotasBeside(contract, spec).filter(
    (other) => windowOfQuota(other, timeScale) < windowOfQuota(spec, timeScale),
  )
  const rates = shorter.map(
    (other) => (usedOfShorter * 1000 * Math.min(...Object.values(other.limit))) / (other.windowMs / timeScale),
  )
  return {
    quota: {
      contract,
      spec,
      shown: atScale(spec, timeScale),
      reads: answerReader(contract, atScale(spec, timeScale), wallStartMs, log.clock),
    },
    blockedForMs: Math.max(0, ...contract.refusals.map(({ lastsMs = 0 }) => lastsMs)) / timeScale,
    mostPerSecond: Math.min(Number.POSITIVE_INFINITY, ...rates),
    ordinaryOf: ({ request = spec.probes[0] }) => ({ request }),
    spellingsOf: (key) => Object.fromEntries(spellingsIn(contract, spec, key)),
    lastUsedAt: ({ name }) => book?.lastUsedAt(spec, name) ?? 0,
  }
}
