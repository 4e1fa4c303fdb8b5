import type { InventoryItem } from '../src/contract/petstore/schemas.js'
import { fixedQuotas, type PlanName, type Quota } from '../src/contract/plans.js'
import { systemClock } from '../src/kit/clock.js'
import type { ServerOptions } from './departed.js'
import type { IssuedKey } from './http/bearer-keys.js'

/** The temporary ban of a key that goes on and on after a 429 (§8.4). */
interface BanOptions {
  /** Refusals in a row, within a minute, that bring no ban. Default: 1,000 or, if more, 5 times the limit. */
  readonly threshold?: number
  /** Default: the length of a minute's window. */
  readonly lengthMs?: number
  /** The status of a banned request's answer. Default: 403. */
  readonly status?: 403 | 429
}

export interface ReferenceServerOptions extends ServerOptions {
  readonly keys?: readonly IssuedKey[]
  /** Quotas that differ from the interface's. Enterprise's default is 3,000 a minute and 200,000 a day. */
  readonly quotas?: Readonly<Partial<Record<PlanName, Quota>>>
  /** Requests per minute of an address that shows no valid key. Default: 600. */
  readonly anonymousPerMinute?: number
  readonly inventory?: readonly InventoryItem[]
  /** False: nobody is ever banned. */
  readonly ban?: BanOptions | false
  readonly bodyLimitBytes?: number
  /** How long the head of a request, and all of it, may take. Default: 10 s, 30 s. */
  readonly slowest?: { readonly headMs: number; readonly requestMs: number }
}

/** Fills in the defaults. */
export const settingsOf = (options: ReferenceServerOptions) => ({
  keys: options.keys ?? [],
  quotas: { ...fixedQuotas, enterprise: { minute: 3_000, day: 200_000 }, ...options.quotas },
  anonymousPerMinute: options.anonymousPerMinute ?? 600,
  timeScale: options.timeScale ?? 1,
  algorithm: options.algorithm ?? 'fixed-window-first-request',
  clock: options.clock ?? systemClock,
  inventory: options.inventory,
  ban: options.ban ?? {},
})
