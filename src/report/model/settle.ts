import { listInWords } from '../../kit/words.js'
import { type Outcome, outcomeOf } from '../../verdict/verdict.js'
import type { QuotaRow, Report } from '../model.js'
import { brokenWaivers } from '../summary.js'
import { evaluateGates, type GateContext, type Gates } from './gates.js'
import { concerns, type Waiver, waiveGates, waiveRows, waiverRows } from './waive.js'

/** A report before it is known what the run comes to. */
export type Unsettled = Omit<Report, 'outcome' | 'headline' | 'rerun' | 'gates' | 'waivers'>

export interface Settlement extends GateContext {
  readonly gates: Gates
  readonly waivers: readonly Waiver[]
  /** Keys that were given and not accepted: what was to be tested with them was not. */
  readonly rejectedKeys: readonly string[]
}

/** A waived failure is neither a failure nor a proof. */
const outcomeWith = (report: Omit<Report, 'outcome' | 'headline' | 'rerun'>): Outcome => {
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

/** Said of each waiver of what fails here that is for another target: its address may be mistyped. */
const notOfThisTarget = (
  waivers: readonly Waiver[],
  { target: { baseUrl }, clauses, checks }: Pick<Report, 'target' | 'clauses' | 'checks'>,
): Report['notes'] =>
  waivers
    .filter((waiver) => !concerns(waiver, baseUrl))
    .filter(({ id }) => [...clauses, ...checks].some((row) => row.id === id && row.verdict === 'fail' && !row.waived))
    .map(({ place, id, target }) => ({
      at: 0,
      text: `${place}: the waiver of ${id} is for ${target}, not for ${baseUrl}: it was not applied`,
    }))

/** The clauses that say whether a quota is kept. */
const rulesOf = ({ plan, window }: QuotaRow): readonly string[] => {
  if (window === 'day') return ['QUOTA-3']
  return plan === 'enterprise' ? ['QUOTA-5'] : ['QUOTA-1', 'QUOTA-2']
}

/**
 * That every answer fits a limit proves nothing where none was refused, for only a refusal shows that a target has a
 * limit; nor where the run tested no rule of it, such as a run that measures costs.
 */
const settleQuota = (quota: QuotaRow, clauses: Report['clauses']): QuotaRow => {
  if (quota.verdict !== 'pass') return quota
  if (quota.history.refused === 0)
    return { ...quota, verdict: 'not-tested', unproven: 'never-refused', reason: 'nothing was refused' }
  const rules = clauses.filter(({ id }) => rulesOf(quota).includes(id))
  if (rules.some(({ verdict }) => verdict !== 'not-tested')) return quota
  const reason = `${listInWords(rules.map(({ id }) => id))} ${rules.length === 1 ? 'was' : 'were'} not tested`
  return { ...quota, verdict: 'not-tested', unproven: 'rules-not-tested', reason }
}

/**
 * What a run comes to once gates and waivers are counted in. Waivers are held against the day on which the run began,
 * so that a saved run comes to the same whenever it is judged.
 */
export const settle = (
  report: Unsettled,
  { gates, waivers, rejectedKeys, ...context }: Settlement,
): Omit<Report, 'headline' | 'rerun'> => {
  const today = report.run.startedAt.slice(0, 10)
  const concerned = waivers.filter((waiver) => concerns(waiver, report.target.baseUrl))
  const rows = waiveRows(report, concerned, today)
  const quotas = report.quotas.map((quota) => settleQuota(quota, report.clauses))
  const marked = { ...report, quotas, clauses: [...rows.clauses], checks: [...rows.checks] }
  const gateRows = waiveGates(evaluateGates(marked, gates, context), marked, concerned, today)
  const notes = [...report.notes, ...notOfThisTarget(waivers, marked)]
  const settled = { ...marked, notes, gates: gateRows, waivers: waiverRows(marked, gateRows, concerned, today) }
  const outcome = outcomeWith(settled)
  return { ...settled, outcome: outcome === 'pass' && rejectedKeys.length > 0 ? 'inconclusive' : outcome }
}
