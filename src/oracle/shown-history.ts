import type { QuotaWindow } from '../contract/plans.js'
import { type History, historyAt, outcomes, withOutcomes } from '../readings/history.js'
import type { KeyRecord } from '../readings/key-record.js'

/** A key's history, the Remaining that each admission showed (NaN for none), and the quota. */
export interface Shown {
  readonly history: History
  readonly left: Float64Array
  readonly window: QuotaWindow
}

/** The Remaining of the key's own quota that each admission shows; NaN if it shows none. */
export const leftShown = (
  { limit, remaining }: Pick<KeyRecord, 'limit' | 'remaining'>,
  history: History,
  window: QuotaWindow,
): Float64Array =>
  remaining.map((left, i) =>
    history.outcome[i] === outcomes.admitted && limit[i] === window.limit && left >= 0 && left < window.limit
      ? Math.floor(left)
      : Number.NaN,
  )

const rowsOf = (history: History, places: readonly number[], outcome: (row: number) => number): History => ({
  ...withOutcomes(historyAt(history, places), (_, row) => outcome(row)),
  isShared: true,
})

/**
 * What answers show, as a history: refusals are excused, and each admission that shows Remaining is followed by a row that
 * asks for one more than that, and is refused. A limiter explains this if it may have counted that much by then. If it cannot
 * have, the refusal is early: others spent the rest, or the limiter counts wrong.
 *
 * Example, with 60 in 60 s: the third admission shows 50. Fifty-one more would have been refused, after three: too early.
 */
export const shownHistory = (history: History, left: Float64Array): History => {
  const places: number[] = []
  const asked: number[] = []
  for (let i = 0; i < history.size; i += 1) {
    places.push(i)
    asked.push(0)
    if (Number.isNaN(left[i])) continue
    places.push(i)
    asked.push(left[i] + 1)
  }
  const outcomeOf = (row: number): number => {
    if (asked[row] > 0) return outcomes.refused
    const outcome = history.outcome[places[row]]
    return outcome === outcomes.refused ? outcomes.excused : outcome
  }
  return {
    ...rowsOf(history, places, outcomeOf),
    asked: Uint32Array.from(asked, (each) => Math.max(1, each)),
    asksForLeft: true,
  }
}

/** How many windows before an answer may matter to what it shows. */
const windowsBefore = 3

/** An answer's Remaining as if asked for and admitted at once: no limiter admits more with what was answered before. */
export const takingAllLeft = (history: History, row: number, left: number, windowMs: number): History => {
  const { sentMs, receivedMs, outcome } = history
  const sinceMs = sentMs[row] - windowsBefore * windowMs
  const places: number[] = []
  for (let i = 0; i < history.size && sentMs[i] <= sentMs[row]; i += 1)
    if (sentMs[i] >= sinceMs && receivedMs[i] <= sentMs[row] && outcome[i] === outcomes.admitted) places.push(i)
  const all = [...places, ...Array<number>(left + 1).fill(row)]
  const taken = rowsOf(history, all, () => outcomes.admitted)
  // All at one instant, so no window edge lies between them.
  taken.sentMs.fill(receivedMs[row], places.length)
  return { ...taken, priorUntilMs: taken.sentMs[0] }
}
