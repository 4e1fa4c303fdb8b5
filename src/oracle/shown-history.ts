import type { QuotaWindow } from '../contract/plans.js'
import { type History, outcomes } from '../readings/history.js'
import type { KeyRecord } from '../readings/key-record.js'

/** A history of a key, what each admission showed to be left of its quota (NaN for nothing), and that quota. */
export interface Shown {
  readonly history: History
  readonly left: Float64Array
  readonly window: QuotaWindow
}

/** What each admission shows to be left of the key's own quota; NaN where it shows nothing of it. */
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

/** The rows at these places, with other outcomes. */
const rowsOf = (history: History, places: readonly number[], outcome: (row: number) => number): History => ({
  ...history,
  size: places.length,
  sentMs: Float64Array.from(places, (i) => history.sentMs[i]),
  receivedMs: Float64Array.from(places, (i) => history.receivedMs[i]),
  outcome: Uint8Array.from(places, (_, row) => outcome(row)),
  isShared: true,
})

/**
 * What answers show, as a history: each refusal is excused, and behind each admission that shows how many are left stands a
 * row that asks for one more than these, and is refused. So a limiter explains what was shown where it may have counted as
 * much by then, and of one that can't its refusal is early: others spent the rest, or it counts wrong.
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

/** Windows before an answer that may matter to what it shows. */
const windowsBefore = 3

/**
 * What an answer shows to be left, as if all of it had been asked for at once and admitted: no limiter admits more than its
 * quota of that and of what was answered before.
 */
export const takingAllLeft = (history: History, row: number, left: number, windowMs: number): History => {
  const { sentMs, receivedMs, outcome } = history
  const sinceMs = sentMs[row] - windowsBefore * windowMs
  const places: number[] = []
  for (let i = 0; i < history.size && sentMs[i] <= sentMs[row]; i += 1)
    if (sentMs[i] >= sinceMs && receivedMs[i] <= sentMs[row] && outcome[i] === outcomes.admitted) places.push(i)
  const all = [...places, ...Array<number>(left + 1).fill(row)]
  const taken = rowsOf(history, all, () => outcomes.admitted)
  // All at one instant: no edge of two windows lies between them.
  taken.sentMs.fill(receivedMs[row], places.length)
  return { ...taken, priorUntilMs: taken.sentMs[0] }
}
