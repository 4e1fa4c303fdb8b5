/** One request of a load, as its ledger has it. A number that is null was not there, or was none: `flags` says which. */
export interface LoadRequest {
  readonly ledger: string
  /** From 0: `burst-free#61` is row 61. */
  readonly row: number
  readonly probe: string
  /** The name of the key that was spent, never the key. */
  readonly key: string | null
  readonly operation: string | null
  readonly quota: string | null
  readonly phase: string | null
  /** In UTC, to the microsecond; null where no calendar has the moment. */
  readonly sentAt: string | null
  /** Milliseconds since the run's start, and from sending to the head of the answer. */
  readonly plannedMs: number | null
  readonly sentMs: number
  readonly receivedMs: number | null
  readonly latencyMs: number | null
  readonly status: number | null
  /** As the answer's fields had them. */
  readonly limit: number | null
  readonly remaining: number | null
  readonly reset: number | null
  readonly retryAfter: number | null
  readonly connection: number
  /** What else is known of it, as words: `timed-out`, `limit-unreadable`. */
  readonly flags: readonly string[]
}
