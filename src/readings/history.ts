/** Two instants, or two lengths, in milliseconds, and what lies between them. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What two have in common; it ends before it begins where that is nothing. */
export const overlap = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })

/**
 * What became of a request, as a byte. *Unknown* may or may not have been counted (no answer, a 3xx, a 5xx);
 * *excused* was refused for a reason outside this window (a ban, the other window) and never counts.
 */
export const outcomes = { admitted: 0, refused: 1, unknown: 2, excused: 3 } as const
export type Decision = keyof typeof outcomes

/** Whether the answer says what became of it. */
export const isDecided = (outcome: number): boolean => outcome === outcomes.admitted || outcome === outcomes.refused

/**
 * What is known of one key and one of its windows: for each request the interval in which the target decided, and the
 * outcome. Sorted by `sentMs`. Times are milliseconds of the client's monotonic clock. A request that was sent at 10 s
 * and answered 200 at 10.1 s was admitted at some instant in [10, 10.1] s; nobody outside the target can tell at which.
 */
export interface History {
  readonly size: number
  /** Just before the request left, already earlier by the clock error. */
  readonly sentMs: Float64Array
  /** When the answer was there, already later by the clock error. Infinity where it was decided at any time after. */
  readonly receivedMs: Float64Array
  /** Codes of {@link outcomes}. */
  readonly outcome: Uint8Array
  /**
   * How many units each refused request asked for at once; absent where all ask for one. What was admitted, or may have
   * been, is a row for each unit instead ({@link withCosts} makes both).
   */
  readonly asked?: Uint16Array | Uint32Array
  /** Whether the refused rows are none that were sent: each stands for an answer that shows one fewer left than it asks for. */
  readonly asksForLeft?: boolean
  /**
   * Nothing is known of the key's use before this instant: any amount of quota may have been spent until then. It is
   * not after the first request was sent; here it may seem to be, by the clock error.
   */
  readonly priorUntilMs: number
  /** What was answered, where outcomes are taken for others: what counts as another outcome was asked all the same. */
  readonly answered?: Uint8Array
  /** Whether somebody else asks with the key during the run as well. */
  readonly isShared?: boolean
  /** The target's wall clock less the monotonic one, as an interval (epochMs = monotonicMs + offset); null: unknown. */
  readonly targetEpochOffsetMs: Span | null
}

/** The history with every request of one outcome taken for another. */
export const recast = (history: History, from: Decision, to: Decision): History => ({
  ...history,
  answered: history.answered ?? history.outcome,
  outcome: history.outcome.map((each) => (each === outcomes[from] ? outcomes[to] : each)),
})
