import { type History, outcomes, type QuotaWindow } from '../history.js'
import type { Diagnosis } from './diagnosis.js'

/** How far the count of one that doubles may lie beside the limit: what the minute refused may count as well. */
const doubledWithin = 0.02

/** Whether what was admitted after the first refusal of the minute counts twice, so that the limit comes out. */
const doublesLater = ({ size, outcome }: History, limit: number): boolean => {
  const first = outcome.findIndex((each) => each === outcomes.unknown || each === outcomes.excused)
  if (first === -1) return false
  const admittedIn = (from: number, to: number) =>
    outcome.subarray(from, to).reduce((sum, each) => sum + Number(each === outcomes.admitted), 0)
  const counted = admittedIn(0, first) + 2 * admittedIn(first, size)
  return Math.abs(counted - limit) <= Math.max(2, limit * doubledWithin)
}

/** What a day that was spent from its start looks like where it is wrong: in one window, how many it admitted says all. */
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
