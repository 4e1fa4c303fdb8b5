/**
 * How long each phase of an exchange may last, and how much of its answer is read: longer than an honest service takes, short
 * enough for a run to end; 100,000 inventory entries fit in the body.
 */
export const defaultExchangeLimits = {
  /** Until the connection is made, TLS included. */
  connectMs: 5_000,
  /** From the first byte sent to the end of the answer's head, including interim answers. */
  headMs: 10_000,
  bodyMs: 30_000,
  /** Applies after content codings are undone, too. */
  mostBodyBytes: 8 * 2 ** 20,
  mostHeaderBytes: 64 * 2 ** 10,
}

export type ExchangeLimits = Readonly<typeof defaultExchangeLimits>
