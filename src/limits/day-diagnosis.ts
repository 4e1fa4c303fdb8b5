import type { Diagnosis } from './diagnosis.js'
import { type History, outcomes, type QuotaWindow } from './history.js'

/** What a day that was spent from its start looks like where it is wrong: in one window, how many it admitted says all. */
export const diagnoseDay = (history: History, { limit }: QuotaWindow): Diagnosis => {
  const count = (outcome: number) => history.outcome.reduce((sum, each) => sum + Number(each === outcome), 0)
  const admitted = count(outcomes.admitted)
  if (count(outcomes.refused) === 0) return { id: 'no-limit', facts: { admitted } }
  if (admitted === limit - 1) return { id: 'limit-lower-by-one', facts: { limit: admitted } }
  if (admitted === limit + 1) return { id: 'limit-higher-by-one', facts: { limit: admitted } }
  const nodes = admitted / limit
  if (nodes > 1 && Number.isInteger(nodes)) return { id: 'nodes-count-alone', facts: { nodes, limit: admitted } }
  return { id: 'other-limit', facts: { limit: admitted } }
}
