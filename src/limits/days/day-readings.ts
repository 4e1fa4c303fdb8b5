import { type History, outcomes } from '../history.js'
import type { KeyRecord } from '../readings/key-record.js'

/** The last admission before the first request that the day certainly refused; -1 where there is none. */
const lastAdmission = ({ outcome, size }: History): number => {
  const first = outcome.indexOf(outcomes.refused)
  return outcome.subarray(0, first === -1 ? size : first).lastIndexOf(outcomes.admitted)
}

/**
 * A day's history as it is where what the minute refuses counts in the day, and as it is where it does not: either is
 * honest (QUOTA-7), a mixture is not. Refusals with no admission between them and the day's own stay open in both, for
 * nothing tells which of the two windows refused them.
 */
export const dayReadings = (record: KeyRecord, history: History): readonly History[] => {
  const last = lastAdmission(history)
  if (last === -1) return [history]
  const byMinute = Array.from({ length: last }, (_, i) => i).filter(
    (i) =>
      record.status[i] === 429 &&
      history.outcome[i] === outcomes.unknown &&
      record.ordinary[i] === 1 &&
      record.receivedMs[i] <= record.sentMs[last],
  )
  if (byMinute.length === 0) return [history]
  const as = (outcome: number): History => {
    const outcome2 = history.outcome.slice()
    for (const i of byMinute) outcome2[i] = outcome
    return { ...history, outcome: outcome2 }
  }
  return [as(outcomes.excused), as(outcomes.admitted)]
}
