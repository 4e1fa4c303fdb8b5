import type { ApiContract } from '../src/contract/api-contract.js'
import { bucketModels, type ModelName } from '../src/contract/limiter-models.js'
import { systemClock } from '../src/kit/clock.js'
import type { ServerOptions } from './departed.js'

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

/** The most at once, if the limiter has a bucket. */
export const capacityOf = ({ quotas }: ApiContract, id: string, limiter: ModelName): number | undefined =>
  bucketModels.includes(limiter) ? quotas.find((quota) => quota.id === id)?.burst : undefined

/** The limiter of each quota, by its id: the requested one, or the first that the contract allows. */
export const limitersOf =
  ({ quotas }: ApiContract, { algorithm }: Pick<ServerOptions, 'algorithm'>) =>
  (id: string): ModelName =>
    algorithm ?? quotas.find((quota) => quota.id === id)?.models[0] ?? 'fixed-window'
