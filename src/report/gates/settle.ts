import { type Outcome, outcomeOf } from '../../verdict/outcome.js'
import type { Report } from '../model.js'
import { brokenWaivers } from '../summary.js'
import { evaluateGates, type GateContext, type Gates } from './gates.js'
import { concerns, type Waiver, waiveGates, waiveRows, waiverRows } from './waive.js'

/** A report before it is known what the run comes to. */
export type Unsettled = Omit<Report, 'outcome' | 'headline' | 'gates' | 'waivers'>

export interface Settlement extends GateContext {
  readonly gates: Gates
  readonly waivers: readonly Waiver[]
  /** Keys that were given and not accepted: what was to be tested with them was not. */
  readonly rejectedKeys: readonly string[]
}

/** A waived failure is neither a failure nor a proof. */
const outcomeWith = (report: Omit<Report, 'outcome' | 'headline'>): Outcome => {
  const fromClauses = outcomeOf(
    report.clauses.map(({ level, verdict, waived }) => ({ level, verdict: waived ? 'not-tested' : verdict })),
    report.run.strict,
  )
  const isProven = report.clauses.some(({ verdict }) => verdict === 'pass' || verdict === 'fail')
  const counting = report.gates.filter(({ waived }) => waived === null)
  if (fromClauses === 'fail') return 'fail'
  if (isProven && (counting.some(({ verdict }) => verdict === 'fail') || brokenWaivers(report).length > 0))
    return 'fail'
  return counting.some(({ verdict }) => verdict === 'inconclusive') ? 'inconclusive' : fromClauses
}

/**
 * What a run comes to once gates and waivers are counted in. Waivers are held against the day on which the run began,
 * so that a saved run comes to the same whenever it is judged.
 */
export const settle = (
  report: Unsettled,
  { gates, waivers, rejectedKeys, ...context }: Settlement,
): Omit<Report, 'headline'> => {
  const today = report.run.startedAt.slice(0, 10)
  const concerned = waivers.filter((waiver) => concerns(waiver, report.target.baseUrl))
  const rows = waiveRows(report, concerned, today)
  const marked = { ...report, clauses: [...rows.clauses], checks: [...rows.checks] }
  const gateRows = waiveGates(evaluateGates(marked, gates, context), marked.clauses, concerned, today)
  const settled = { ...marked, gates: gateRows, waivers: waiverRows(marked, gateRows, concerned, today) }
  const outcome = outcomeWith(settled)
  return { ...settled, outcome: outcome === 'pass' && rejectedKeys.length > 0 ? 'inconclusive' : outcome }
}
