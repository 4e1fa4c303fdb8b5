import type { QuotaWindow } from '../../contract/plans.js'
import { firstThat, placesOf } from '../../kit/numbers.js'
import { type History, historyAt, outcomes } from '../../readings/history.js'
import { fits } from '../models/explain.js'

/** A restart takes longer than most pauses around it: only this many of the longest are tried. */
const mostTried = 8

interface Pause {
  /** The first request after it. */
  readonly row: number
  readonly lengthMs: number
}

/** The stretches in which no request was in transit. */
const pausesOf = ({ sentMs, receivedMs, size }: History): Pause[] => {
  const pauses: Pause[] = []
  let answeredMs = Number.POSITIVE_INFINITY
  for (let row = 0; row < size; row += 1) {
    if (sentMs[row] > answeredMs) pauses.push({ row, lengthMs: sentMs[row] - answeredMs })
    answeredMs = row === 0 ? receivedMs[row] : Math.max(answeredMs, receivedMs[row])
  }
  return pauses
}

const rowsBetween = (history: History, from: number, to: number): History =>
  historyAt(
    history,
    placesOf(history.size, (row) => row >= from && row < to),
  )

const hasRefusal = ({ outcome }: History): boolean => outcome.includes(outcomes.refused)

/**
 * The first request after the pause in which all counts were lost, as a restart loses those in memory: what came before
 * explains itself, and so does what came after, starting with a full quota. Null if no pause fits. Both sides must have met
 * the limit: if 60 and then 60 more were admitted before the first refusal, two nodes explain as much.
 */
export const firstAfterForgetting = (history: History, window: QuotaWindow): number | null => {
  const pauses = pausesOf(history)
  // If a history explains itself, so does each shorter beginning of it.
  const explained = firstThat(
    0,
    pauses.length - 1,
    (place) => !fits(rowsBetween(history, 0, pauses[place].row), window),
  )
  if (explained === 0) return null
  const lastMs = history.sentMs[pauses[explained - 1].row]
  const tried = pauses
    .slice(0, explained)
    .filter(({ row }) => history.sentMs[row] > lastMs - window.windowMs)
    .sort((a, b) => b.lengthMs - a.lengthMs)
    .slice(0, mostTried)
  const found = tried.find(({ row }) => {
    const [before, after] = [rowsBetween(history, 0, row), rowsBetween(history, row, history.size)]
    const since = { ...after, priorUntilMs: Number.NEGATIVE_INFINITY }
    return hasRefusal(before) && hasRefusal(after) && fits(since, window)
  })
  return found?.row ?? null
}
