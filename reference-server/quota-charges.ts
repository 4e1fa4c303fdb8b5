import type { ApiContract, QuotaSpec } from '../src/contract/api-contract.js'
import { bucketModels, type ModelName } from '../src/contract/limiter-models.js'
import { countsAgainst, countsByAddress, partitionOf } from '../src/contract/partitions.js'
import { systemClock } from '../src/kit/clock.js'
import type { Arrival } from './behaviour.js'
import { blockRuleOf } from './contract-answers.js'
import type { ServerOptions } from './departed.js'
import { isRepeated, type RequestHead } from './http/bearer-keys.js'
import type { Charge } from './stores/ruling.js'

export interface ContractServerOptions extends ServerOptions {
  /** The secret that clients send for each credential; `user:password` for basic, none for the scheme `none`. */
  readonly secrets: Readonly<Record<string, string>>
  /**
   * How many refusals in a row do not cause a block yet, if the contract has one. Default: 0 for the quota's own rule; for a
   * ban the limit, so that only clients that send twice the limit are banned.
   */
  readonly blockAfter?: number
}

export const contractSettingsOf = (options: ContractServerOptions) => ({
  ...options,
  timeScale: options.timeScale ?? 1,
  clock: options.clock ?? systemClock,
})

export type ContractSettings = ReturnType<typeof contractSettingsOf>

/** The most at once, if the limiter has a bucket. */
export const capacityOf = ({ quotas }: ApiContract, id: string, limiter: ModelName): number | undefined =>
  bucketModels.includes(limiter) ? quotas.find((quota) => quota.id === id)?.burst : undefined

/** The limiter of each quota, by its id: the requested one, or the first that the contract allows. */
export const limitersOf =
  ({ quotas }: ApiContract, { algorithm }: Pick<ServerOptions, 'algorithm'>) =>
  (id: string): ModelName =>
    algorithm ?? quotas.find((quota) => quota.id === id)?.models[0] ?? 'fixed-window'

/** Finds what a request counts against, and its cost there. */
export const quotaCharges = (contract: ApiContract, settings: ContractSettings) => {
  const { timeScale } = settings
  const limiterOf = limitersOf(contract, settings)
  return ({ request, account, operation }: Arrival): readonly Charge[] => {
    if (!account || operation === undefined || isRepeated('host', request)) return []
    return contract.quotas.flatMap((quota) => {
      if (!countsAgainst(quota, account.id, operation)) return []
      const limit = quota.limit[account.id]
      const windowMs = quota.windowMs / timeScale
      const burst = capacityOf(contract, quota.id, limiterOf(quota.id))
      const subject = {
        id: `${quota.id} ${ofWhom(quota, request, account.id, operation)}`,
        windows: [{ name: quota.id, limit, windowMs, burst }],
        ban: blockOf(contract, settings, limit, windowMs),
      }
      return [{ subject, cost: quota.cost[operation] ?? 1 }]
    })
  }
}

const ofWhom = (quota: QuotaSpec, request: RequestHead, credential: string, operation: string): string =>
  countsByAddress(quota)
    ? `${request.socket.remoteAddress ?? 'unknown'} ${partitionOf(quota, credential, operation)}`
    : partitionOf(quota, credential, operation)

/** The block for clients that keep sending after refusals; undefined if the contract gives no length. */
const blockOf = (
  contract: ApiContract,
  { timeScale, blockAfter }: ContractSettings,
  limit: number,
  windowMs: number,
): Charge['subject']['ban'] => {
  const { is, lastsMs } = blockRuleOf(contract) ?? {}
  if (lastsMs === undefined) return undefined
  return { threshold: blockAfter ?? (is === 'quota' ? 0 : limit), withinMs: windowMs, lengthMs: lastsMs / timeScale }
}
