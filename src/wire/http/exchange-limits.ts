/** How long each phase of an exchange may last, and how much of its answer is read. */
export interface ExchangeLimits {
  /** Until the connection is made, TLS included. */
  readonly connectMs: number
  /** From the first byte sent to the end of the answer's head, including interim answers. */
  readonly headMs: number
  readonly bodyMs: number
  /** Applies after content codings are undone, too. */
  readonly mostBodyBytes: number
  readonly mostHeaderBytes: number
}

/** Longer than an honest service takes, short enough for a run to end; 100,000 inventory entries fit in the body. */
export const defaultExchangeLimits: ExchangeLimits = {
  connectMs: 5_000,
  headMs: 10_000,
  bodyMs: 30_000,
  mostBodyBytes: 8 * 2 ** 20,
  mostHeaderBytes: 64 * 2 ** 10,
}
