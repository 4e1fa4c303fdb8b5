import { type History, outcomes } from '../../readings/history.js'
import type { KeyRecord } from '../../readings/key-record.js'

/** The place of the last admission before the day's first certain refusal; -1 where there is none. */
const lastAdmission = ({ outcome, size }: History): number => {
  const first = outcome.indexOf(outcomes.refused)
  return outcome.subarray(0, first === -1 ? size : first).lastIndexOf(outcomes.admitted)
}

/**
 * A day's history in two readings: in one the minute's refusals do not count in the day, in the other all of them do.
 * Either is honest (QUOTA-7), a mixture is not. With a day of 1,000: after 990 admissions and 10 refusals of the
 * minute, the day may refuse at once or after ten more admissions, but not after five. Refusals right before the day's
 * own stay *unknown* in both, for nothing shows which window they came from.
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
