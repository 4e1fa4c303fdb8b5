import type { ModelName } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import type { History } from '../readings/history.js'
import type { LimiterSettings } from './limiters.js'
import type { LimiterOf } from './replay.js'

/** Clauses that pass by the oracle's word on a history. */
export const certifiedClauses = ['QUOTA-1', 'QUOTA-2', 'QUOTA-5'] as const
/** Clauses that pass only where the run excludes what breaks them. */
export type CertifiedClause = (typeof certifiedClauses)[number] | 'QUOTA-4' | 'THROTTLE-4' | 'RATE-4' | 'RATE-6'

/** What may be wrong with a target, and what a pass has to exclude. */
export interface NamedDefect {
  /** As a gate names it: `limit+1`, `window-5%`, `lost-1-in-10`. */
  readonly id: string
  /** What it is, for somebody who reads that a run could not have shown it. */
  readonly words: string
  /** The clauses that it breaks, and that pass only where it is excluded; none: it is only measured. */
  readonly clauses: readonly CertifiedClause[]
  /** Which keys have to exclude it for a pass: each one that is judged, or any one, for the same limiter serves all. */
  readonly of: 'each key' | 'one key'
}

/** What a replay is made with: an honest limiter of the target's own kind, and what its requests ask for. */
export interface Ground {
  readonly model: ModelName
  readonly settings: LimiterSettings
}

export type Make = (ground: Ground) => LimiterOf

/** A defective limiter that the run's requests are replayed through. */
export interface Defect extends NamedDefect {
  /**
   * The quotas of which it keeps one in place of the promised one, where it is honest otherwise: what was answered shows
   * whether any limiter keeps these. Anything else is a limiter that the run's requests are replayed through.
   */
  readonly how:
    | { readonly keepsOneOf: readonly QuotaWindow[] }
    | {
        readonly make: Make
        /** Requests that it decides though the oracle leaves them out. */
        readonly asking?: ReadonlySet<number>
        /** What tells it besides the oracle. */
        readonly isSeenIn?: (replayed: History) => boolean
      }
}
