import type { ApiContract, QuotaSpec } from '../../src/contract/any/api-contract.js'
import type { AlgorithmName } from '../limiters/algorithms.js'
import type { BanRule } from '../metering/subject.js'
import type { Charge, ContractArrival } from './contract-behaviour.js'
import type { ContractSettings } from './contract-options.js'

/** The limiters that have a bucket, so that a burst means something to them. */
const withBucket: readonly AlgorithmName[] = ['token-bucket', 'gcra']

/** The limiter of a quota: the one that was asked for, or the first of those that the contract admits. */
export const limiterOf = ({ models }: QuotaSpec, { limiter }: ContractSettings): AlgorithmName =>
  limiter ?? models[0] ?? 'fixed-window'

/** Says what a request counts against, and what it costs there. */
export const quotaCharges = (contract: ApiContract, settings: ContractSettings) => {
  const { timeScale } = settings
  return (arrival: ContractArrival): readonly Charge[] =>
    contract.quotas.flatMap((quota) => {
      const limit = quota.limit[arrival.credential]
      if (limit === undefined || !quota.probes.includes(arrival.probe)) return []
      const lengthMs = quota.windowMs / timeScale
      const capacity = withBucket.includes(limiterOf(quota, settings)) ? quota.burst : undefined
      const subject = {
        id: `${quota.id} ${partitionOf(quota, arrival)}`,
        windows: [{ name: quota.id, limit, lengthMs, capacity }],
        ban: blockOf(contract, settings, limit, lengthMs),
      }
      return [{ subject, cost: quota.cost[arrival.probe] ?? 1 }]
    })
}

/** Whose requests are counted together. At one address, only those of one limit can be. */
const partitionOf = ({ by, limit }: QuotaSpec, { request, credential, probe }: ContractArrival): string => {
  if (by === 'address') return `${request.socket.remoteAddress ?? 'unknown'} ${limit[credential]}`
  return by === 'credential' ? credential : `${credential} ${probe}`
}

/** The rule by which the answer to a request under a block is written: a ban's, where the quota's own has no block. */
export const blockRuleOf = ({ refusals }: ApiContract) => {
  const quota = refusals.find(({ is }) => is === 'quota')
  return quota?.lastsMs === undefined
    ? refusals.find(({ is, lastsMs }) => is === 'ban' && lastsMs !== undefined)
    : quota
}

/** The block of who goes on after refusals; undefined where the contract says nothing of how long one lasts. */
const blockOf = (
  contract: ApiContract,
  { timeScale, blockAfter }: ContractSettings,
  limit: number,
  lengthMs: number,
): BanRule | undefined => {
  const rule = blockRuleOf(contract)
  if (rule?.lastsMs === undefined) return undefined
  const usual = rule.is === 'quota' ? 0 : Math.max(1_000, 5 * limit)
  return { threshold: blockAfter ?? usual, withinMs: lengthMs, lengthMs: rule.lastsMs / timeScale }
}
