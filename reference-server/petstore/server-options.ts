import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { fixedQuotas, type PlanName, type Quota } from '../../src/contract/plans.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import type { IssuedKey } from '../http/bearer-keys.js'
import type { AlgorithmName } from '../limiters/limiter.js'
import type { StoreConnection } from '../stores/shared-store.js'

/** The temporary ban of a key that goes on and on after a 429 (§8.4). */
export interface BanOptions {
  /** Refusals in a row, within a minute, that bring no ban. Default: 1,000 or, if more, 5 times the limit. */
  readonly threshold?: number
  /** Default: the length of a minute's window. */
  readonly lengthMs?: number
  /** The status of a banned request's answer. Default: 403. */
  readonly status?: 403 | 429
}

export interface ReferenceServerOptions {
  readonly keys?: readonly IssuedKey[]
  /** Quotas that differ from the interface's. Enterprise's default is 3,000 a minute and 200,000 a day. */
  readonly quotas?: Readonly<Partial<Record<PlanName, Quota>>>
  /** Requests per minute of an address that shows no valid key. Default: 600. */
  readonly anonymousPerMinute?: number
  /** Divides the length of every window. Default: 1. */
  readonly timeScale?: number
  /** How both windows count. Default: fixed-window-first-request. */
  readonly algorithm?: AlgorithmName
  /** Keeps the counts outside of this process. Default: in its memory. */
  readonly store?: StoreConnection
  readonly clock?: Clock
  /** Ids of faults that are put in, in this order. */
  readonly faults?: readonly string[]
  /** Ids of conforming variations, applied before the faults. */
  readonly variations?: readonly string[]
  readonly inventory?: readonly InventoryItem[]
  /** False: nobody is ever banned. */
  readonly ban?: BanOptions | false
  readonly bodyLimitBytes?: number
  /**
   * How long the head of a request may take, and all of it; a connection without a request may last as long. Default:
   * 10 s, 30 s.
   */
  readonly slowest?: { readonly headMs: number; readonly requestMs: number }
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
}

/** What is left once all defaults are filled in. */
export interface Settings {
  readonly keys: readonly IssuedKey[]
  readonly quotas: Readonly<Record<PlanName, Quota>>
  readonly anonymousPerMinute: number
  readonly timeScale: number
  readonly algorithm: AlgorithmName
  readonly clock: Clock
  readonly inventory: readonly InventoryItem[] | undefined
  readonly ban: BanOptions | false
}

/** Fills in the defaults. */
export const settingsOf = (options: ReferenceServerOptions): Settings => ({
  keys: options.keys ?? [],
  quotas: { ...fixedQuotas, enterprise: { minute: 3_000, day: 200_000 }, ...options.quotas },
  anonymousPerMinute: options.anonymousPerMinute ?? 600,
  timeScale: options.timeScale ?? 1,
  algorithm: options.algorithm ?? 'fixed-window-first-request',
  clock: options.clock ?? systemClock,
  inventory: options.inventory,
  ban: options.ban ?? {},
})
