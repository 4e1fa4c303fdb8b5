import { type Decision, type History, outcomes, type Span } from '../../readings/history.js'

/** A request as {@link historyOf} takes it: no `receivedMs` if nothing came back. */
export interface HistoryEvent {
  readonly sentMs: number
  readonly receivedMs?: number
  readonly outcome: Decision
}

export interface HistoryOptions {
  /** How far a decision may lie outside the measured interval: rounding, drift, clock offsets. */
  readonly clockErrorMs?: number
  readonly priorUntilMs?: number
  readonly targetEpochOffsetMs?: Span | null
}

/** Sorts events by sending time and widens each interval by the clock error on both sides. */
export const historyOf = (events: readonly HistoryEvent[], options: HistoryOptions = {}): History => {
  const { clockErrorMs = 0, priorUntilMs = Number.NEGATIVE_INFINITY, targetEpochOffsetMs = null } = options
  const sorted = [...events].sort((a, b) => a.sentMs - b.sentMs)
  return {
    size: sorted.length,
    sentMs: Float64Array.from(sorted, (each) => each.sentMs - clockErrorMs),
    receivedMs: Float64Array.from(sorted, (each) => (each.receivedMs ?? Number.POSITIVE_INFINITY) + clockErrorMs),
    outcome: Uint8Array.from(sorted, (each) => outcomes[each.outcome]),
    priorUntilMs,
    targetEpochOffsetMs,
  }
}
