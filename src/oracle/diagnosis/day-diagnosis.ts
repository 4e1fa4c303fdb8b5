import { type History, outcomes, type QuotaWindow } from '../../readings/history.js'
import type { Diagnosis } from './diagnosis.js'

/** How far a doubled count may be off the limit, as a share of it: the minute's refusals may be counted as well. */
const doubledWithinShare = 0.02
/** The same in requests, for days so small that the share is less. */
const doubledWithinRequests = 2

/** Whether the limit comes out if admissions after the minute's first refusal count twice: 400 + 2 x 300 = 1,000. */
const doublesLater = ({ size, outcome }: History, limit: number): boolean => {
  const first = outcome.findIndex((each) => each === outcomes.unknown || each === outcomes.excused)
  if (first === -1) return false
  const admittedIn = (from: number, to: number) =>
    outcome.subarray(from, to).reduce((sum, each) => sum + Number(each === outcomes.admitted), 0)
  const counted = admittedIn(0, first) + 2 * admittedIn(first, size)
  return Math.abs(counted - limit) <= Math.max(doubledWithinRequests, limit * doubledWithinShare)
}

/** What a broken limiter of days looks like. A run sees one day, so there is only the number of admissions to go by. */
export const diagnoseDay = (history: History, { limit }: QuotaWindow): Diagnosis => {
  const count = (outcome: number) => history.outcome.reduce((sum, each) => sum + Number(each === outcome), 0)
  const admitted = count(outcomes.admitted)
  if (count(outcomes.refused) === 0) return { id: 'no-limit', facts: { admitted } }
  if (admitted === limit - 1) return { id: 'limit-lower-by-one', facts: { limit: admitted } }
  if (admitted === limit + 1) return { id: 'limit-higher-by-one', facts: { limit: admitted } }
  if (doublesLater(history, limit)) return { id: 'requests-count-twice', facts: { from: 'minute-refusal' } }
  const nodes = admitted / limit
  if (nodes > 1 && Number.isInteger(nodes)) return { id: 'nodes-count-alone', facts: { nodes, limit: admitted } }
  return { id: 'other-limit', facts: { limit: admitted } }
}
