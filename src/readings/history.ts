import { valuesAt } from '../kit/numbers.js'

/** An interval between two instants, or two lengths, in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What two spans have in common; it ends before it begins if they have nothing in common. */
export const overlap = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })

/**
 * What happened to a request, as a byte. *Unknown* may or may not have been counted (no answer, a 3xx, a 5xx); *excused* was
 * refused for a reason outside this window (a ban, the other window) and never counts.
 */
export const outcomes = { admitted: 0, refused: 1, unknown: 2, excused: 3 } as const
export type Decision = keyof typeof outcomes

/** Whether the answer tells what happened to the request. */
export const isDecided = (outcome: number): boolean => outcome === outcomes.admitted || outcome === outcomes.refused

/**
 * What is known about one key and one of its windows: for each request the outcome, and the interval in which the target
 * decided. Sorted by `sentMs`. Times are milliseconds of the client's monotonic clock. A request sent at 10 s and answered
 * 200 at 10.1 s was admitted at some instant in [10, 10.1] s; nobody outside the target can tell when.
 */
export interface History {
  readonly size: number
  /** Just before the request left, less the clock error. */
  readonly sentMs: Float64Array
  /** When the answer came, plus the clock error; Infinity if the request may have been decided at any later time. */
  readonly receivedMs: Float64Array
  /** Codes of {@link outcomes}. */
  readonly outcome: Uint8Array
  /**
   * How many units each refused request asked for at once; absent if all ask for one. A request that was or may have been
   * admitted has a row per unit instead ({@link withCosts} makes both).
   */
  readonly asked?: Uint16Array | Uint32Array
  /** Whether refused rows were never sent: each stands for an answer that shows one fewer left than the row asks for. */
  readonly asksForLeft?: boolean
  /**
   * Nothing is known about the key's use before this instant: any amount of quota may have been spent until then. It is never
   * after the first request was sent, though the clock error may make it seem so.
   */
  readonly priorUntilMs: number
  /** The original outcomes, if some were recast: a recast request was sent all the same. */
  readonly answered?: Uint8Array
  /** Whether somebody else also uses the key during the run. */
  readonly isShared?: boolean
  /** The target's wall clock less the monotonic one, as an interval (epochMs = monotonicMs + offset); null: unknown. */
  readonly targetEpochOffsetMs: Span | null
}

/** The history with other outcomes. */
export const withOutcomes = (history: History, outcomeOf: (outcome: number, row: number) => number): History => ({
  ...history,
  outcome: history.outcome.map(outcomeOf),
})

/** The history with every request of one outcome recast to another. */
export const recast = (history: History, from: Decision, to: Decision): History => ({
  ...withOutcomes(history, (each) => (each === outcomes[from] ? outcomes[to] : each)),
  answered: history.answered ?? history.outcome,
})

/** The history of these rows, in this order; a row may come several times. */
export const historyAt = (history: History, rows: ArrayLike<number> & Iterable<number>): History => ({
  ...history,
  size: rows.length,
  sentMs: valuesAt(history.sentMs, rows),
  receivedMs: valuesAt(history.receivedMs, rows),
  outcome: Uint8Array.from(rows, (row) => history.outcome[row]),
  ...(history.asked && { asked: Uint32Array.from(rows, (row) => history.asked?.[row] ?? 1) }),
})

/** For each row, the earliest answer that is meant to it or a later one; Infinity for none, as behind the last row. */
export const firstAnswers = ({ size, receivedMs }: History, isMeant: (row: number) => boolean): Float64Array => {
  const earliest = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY)
  for (let i = size - 1; i >= 0; i--)
    earliest[i] = isMeant(i) ? Math.min(earliest[i + 1], receivedMs[i]) : earliest[i + 1]
  return earliest
}
