import { type History, outcomes } from '../readings/history.js'

/** A history counted in units, and where each of its rows comes from. */
export interface CostedHistory {
  readonly history: History
  /** For each row the one of the given history that it is a unit of: for witnesses, which are rows. */
  readonly rows: Uint32Array
}

/**
 * The history of requests that cost more than one unit, in units. A request of cost c is admitted where all c are left,
 * so an admission is c units at one instant; so is one of which nothing is known. A refusal shows that fewer than c
 * were left: it stays one row that asked for c. What costs nothing is excused. What costs more than `mostAtOnce`, and
 * was refused, says nothing; some limiters count it, so it is as many unknown units.
 *
 * Example, with 60 a minute: of three requests of cost 5 the first two are admitted, ten rows in all, and the third is
 * refused: too early, unless 46 other units may have been spent.
 */
export const withCosts = (
  history: History,
  cost: Uint16Array,
  mostAtOnce = Number.POSITIVE_INFINITY,
): CostedHistory => {
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
  const sentMs = Float64Array.from(rows, (row) => history.sentMs[row])
  const receivedMs = Float64Array.from(rows, (row) => history.receivedMs[row])
  const asked = Uint16Array.from(rows, (row) => cost[row])
  return { history: { ...history, size, sentMs, receivedMs, outcome, asked }, rows }
}

const unitsOf = (outcome: number, cost: number, mostAtOnce: number): { count: number; became: number } => {
  if (cost === 0 || outcome === outcomes.excused) return { count: 1, became: outcomes.excused }
  if (outcome !== outcomes.refused) return { count: cost, became: outcome }
  return cost > mostAtOnce
    ? { count: Math.ceil(mostAtOnce), became: outcomes.unknown }
    : { count: 1, became: outcomes.refused }
}
