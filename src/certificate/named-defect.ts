import type { ModelName } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import type { History } from '../readings/history.js'
import type { Limiter, LimiterSettings } from './limiters.js'

/** Clauses that pass on the oracle's verdict about a history. */
export const certifiedClauses = ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'] as const
/** Clauses that pass only if the run excludes the defects that break them. */
export type CertifiedClause = (typeof certifiedClauses)[number] | 'QUOTA-4' | 'THROTTLE-4' | 'RATE-4' | 'RATE-6'

/** What may be wrong with a target, and must be excluded for a pass. */
export interface NamedDefect {
  /** As a gate names it: `limit+1`, `window-5%`, `lost-1-in-10`. */
  readonly id: string
  /** A description, for readers of a report that says the run could not have shown it. */
  readonly words: string
  /** The clauses that it breaks, and that pass only if it is excluded; if none, it is only measured. */
  readonly clauses: readonly CertifiedClause[]
  /** Which keys must exclude it for a pass: every judged one, or any one if the same limiter serves all. */
  readonly of: 'each key' | 'one key'
}

/** What a replay uses: an honest limiter of the target's own kind, and its settings. */
export interface Ground {
  readonly model: ModelName
  readonly settings: LimiterSettings
}

/** The limiter that decides a request of the history; separate counts have limiters of their own. */
export type LimiterOf = (row: number) => Limiter

export type Make = (ground: Ground) => LimiterOf

/** A defective limiter through which the run's requests are replayed. */
export interface Defect extends NamedDefect {
  /**
   * The quotas one of which it keeps instead of the promised one, honestly otherwise: the answers show whether any limiter
   * keeps these. Any other defect is a limiter through which the run's requests are replayed.
   */
  readonly how:
    | { readonly keepsOneOf: readonly QuotaWindow[] }
    | {
        readonly make: Make
        /** Requests that it decides although the oracle leaves them out. */
        readonly asking?: ReadonlySet<number>
        /** What exposes it besides the oracle. */
        readonly isSeenIn?: (replayed: History) => boolean
      }
}
