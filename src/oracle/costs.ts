import { placesOf } from '../kit/numbers.js'
import { type History, historyAt, outcomes } from '../readings/history.js'

/** A history counted in units, with the row that each unit comes from. */
export interface CostedHistory {
  readonly history: History
  /** For each row, the row of the given history that it is a unit of: witnesses are rows of that one. */
  readonly rows: Uint32Array
}

/**
 * Turns a history of requests that cost more than one unit into units. A request of cost c is admitted only if all c units
 * are left, so an admission is c units at one instant; so is a request whose outcome is unknown. A refusal shows that fewer
 * than c were left: it stays one row that asked for c. A request that costs nothing is excused. A refused request that costs
 * more than `mostAtOnce` says nothing, but some limiters count it, so it becomes that many unknown units. Without costs each
 * is one unit.
 *
 * Example, with 60 a minute and three requests of cost 5: the first two are admitted, ten rows in all. The third is refused:
 * too early, unless 46 other units may have been spent.
 */
export const withCosts = (
  history: History,
  cost: Uint16Array | undefined,
  mostAtOnce = Number.POSITIVE_INFINITY,
): CostedHistory => {
  if (!cost) return { history, rows: Uint32Array.from(placesOf(history.size)) }
  const asRows = Array.from({ length: history.size }, (_, i) => unitsOf(history.outcome[i], cost[i], mostAtOnce))
  const size = asRows.reduce((sum, { count }) => sum + count, 0)
  const rows = new Uint32Array(size)
  const outcome = new Uint8Array(size)
  let at = 0
  asRows.forEach(({ count, became }, i) => {
    rows.fill(i, at, at + count)
    outcome.fill(became, at, at + count)
    at += count
  })
  return { history: { ...historyAt(history, rows), outcome, asked: Uint16Array.from(rows, (row) => cost[row]) }, rows }
}

const unitsOf = (outcome: number, cost: number, mostAtOnce: number): { count: number; became: number } => {
  if (cost === 0 || outcome === outcomes.excused) return { count: 1, became: outcomes.excused }
  if (outcome !== outcomes.refused) return { count: cost, became: outcome }
  return cost > mostAtOnce
    ? { count: Math.ceil(mostAtOnce), became: outcomes.unknown }
    : { count: 1, became: outcomes.refused }
}
