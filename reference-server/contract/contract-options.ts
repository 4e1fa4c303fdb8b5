import { systemClock } from '../../src/kit/clock.js'
import type { ServerOptions } from '../behaviour/departed.js'

export interface ContractServerOptions extends ServerOptions {
  /** By credential: what a client shows. A basic one is `user:password`. Credentials of the scheme `none` have none. */
  readonly secrets: Readonly<Record<string, string>>
  /**
   * Refusals in a row, within a window, that bring no block yet, where a rule says how long one lasts. With 0, the first
   * request over the limit begins it. Default: 0 where it is the rule of the quota itself; where it is a ban's, as many
   * as the limit, so that no client is banned that does not send twice what it may.
   */
  readonly blockAfter?: number
}

/** Fills in the defaults. */
export const contractSettingsOf = (options: ContractServerOptions) => ({
  ...options,
  timeScale: options.timeScale ?? 1,
  clock: options.clock ?? systemClock,
})

/** What is left then. */
export type ContractSettings = ReturnType<typeof contractSettingsOf>
