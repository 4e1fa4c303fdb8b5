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
