import { type Clock, systemClock } from '../../src/kit/clock.js'
import type { AlgorithmName } from '../limiters/limiter.js'
import type { StoreConnection } from '../stores/shared-store.js'

export interface ContractServerOptions {
  /** By credential: what a client shows. A basic one is `user:password`. Credentials of the scheme `none` have none. */
  readonly secrets: Readonly<Record<string, string>>
  /** Divides every window, and how long a block lasts. Default: 1. */
  readonly timeScale?: number
  /** How every quota counts. Default: the first of the quota's models, or fixed-window. */
  readonly limiter?: AlgorithmName
  /**
   * Refusals in a row, within a window, that bring no block yet, where a rule says how long one lasts. With 0, the first
   * request over the limit begins it. Default: 0 where it is the rule of the quota itself; where it is a ban's, as many
   * as the limit, so that no client is banned that does not send twice what it may.
   */
  readonly blockAfter?: number
  /** Keeps the counts outside of this process. Default: in its memory. */
  readonly store?: StoreConnection
  readonly clock?: Clock
  /** Ids of faults that are put in, in this order. */
  readonly faults?: readonly string[]
  /** Ids of conforming variations, applied before the faults. */
  readonly variations?: readonly string[]
}

/** What is left once all defaults are filled in. */
export interface ContractSettings extends Pick<ContractServerOptions, 'secrets' | 'limiter' | 'blockAfter'> {
  readonly timeScale: number
  readonly clock: Clock
}

/** Fills in the defaults. */
export const contractSettingsOf = (options: ContractServerOptions): ContractSettings => ({
  secrets: options.secrets,
  limiter: options.limiter,
  blockAfter: options.blockAfter,
  timeScale: options.timeScale ?? 1,
  clock: options.clock ?? systemClock,
})
