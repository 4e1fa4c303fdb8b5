import { type FigureName, figures } from '../../contract/figures.js'
import type { BackoffRow, CostRow, LoadRow, QuotaRow, Report } from '../model.js'
import { countUnrestored, requestTotals } from '../summary.js'

/** The part of a report that figures are read from. */
export type Measured = Pick<
  Report,
  'run' | 'clauses' | 'quotas' | 'certificates' | 'load' | 'limiterCosts' | 'backoff' | 'spending' | 'unrestored'
>

const worst = (values: readonly (number | null | undefined)[]): number | null =>
  values.reduce<number | null>(
    (most, value) =>
      value === null || value === undefined || (most !== null && most >= value) ? (most ?? null) : value,
    null,
  )

/**
 * What the model that comes closest leaves to explain away, of those that are refuted for what the quota was seen to do,
 * where that is known: on each plan the figure then counts what the finding tells. Where it leaves more of the other kind, this kind is open:
 * what was admitted too much and what was refused too early stand in for each other. Null where it is not known.
 */
const unexplained = (quota: QuotaRow, what: 'overAdmitted' | 'earlyRefused'): number | null => {
  if (quota.verdict === 'pass') return 0
  if (quota.verdict !== 'fail') return null
  const refuted = Object.values(quota.refutations)
  const alike = refuted.filter(({ reason }) => reason === quota.breach?.kind)
  const [closest] = (alike.length > 0 ? alike : refuted).toSorted(
    (a, b) => a.overAdmitted + a.earlyRefused - (b.overAdmitted + b.earlyRefused),
  )
  if (!closest) return null
  const isOver = closest.overAdmitted >= closest.earlyRefused
  return isOver === (what === 'overAdmitted') ? closest[what] : null
}

const ofQuota = (quota: QuotaRow, name: string): number | null => {
  if (name === 'overAdmitted' || name === 'earlyRefused') return unexplained(quota, name)
  if (name === 'worstMinute') return quota.worstMinute
  // Of the burst alone: what else went out on the key may be known, and only of no use to the oracle.
  if (name === 'unknown') return quota.unknown
  if (name === 'recovery.afterMs') return quota.recovery?.afterMs ?? null
  if (name === 'recovery.lateMs') return quota.recovery?.lateMs ?? null
  return null
}

const ofLoad = (row: LoadRow, name: string): number | null => {
  if (name === 'errors' || name === 'timeouts' || name === 'lost') return row[name]
  if (name === 'scheduleErrorMs.p99') return row.scheduleErrorMs?.p99 ?? null
  const [, clock, outcome, percentile] =
    /^(latencyMs|latencyFromPlannedMs)\.(admitted|refused)\.(p50|p90|p99|max)$/.exec(name) ?? []
  if (clock === undefined) return null
  const by = clock === 'latencyMs' ? row.latencyMs : row.latencyFromPlannedMs
  const at = by?.[outcome as 'admitted' | 'refused']
  return at?.[percentile as 'p50' | 'p90' | 'p99' | 'max'] ?? null
}

const ofCosts = ({ admitted, refused, share }: CostRow, name: string): number | null => {
  if (name === 'limiterCost.admitted.p50') return admitted?.p50 ?? null
  if (name === 'limiterCost.refused.p50') return refused?.p50 ?? null
  return name === 'limiterCost.share' ? share : null
}

/** Of clients that wait as told. Where they gave up before all was done, how long that takes was not measured. */
const ofClients = (
  { behaviour, wasted, work, served, startedAt, endedAt }: BackoffRow,
  name: string,
): number | null => {
  if (behaviour !== 'compliant') return null
  if (name === 'compliant.wasted') return wasted
  return name === 'compliant.tookMs' && work !== null && served >= work ? endedAt - startedAt : null
}

/** A count against a limiter says no more than the clauses that rest on the same: where none of them fails, it is open. */
const isBacked = (report: Measured, name: FigureName): boolean =>
  (name !== 'overAdmitted' && name !== 'earlyRefused') ||
  report.clauses.some(({ id, verdict }) => verdict === 'fail' && figures[name].clauses.some((each) => each === id))

/** What a plan's figure came to, at its worst over its loads and windows; null where it was not measured. */
export const measurePlan = (report: Measured, name: FigureName, plan: string): number | null => {
  const value = worst([
    ...report.quotas.filter((row) => row.plan === plan).map((row) => ofQuota(row, name)),
    ...report.load.filter((row) => row.plan === plan).map((row) => ofLoad(row, name)),
    ...report.limiterCosts.filter((row) => row.plan === plan).map((row) => ofCosts(row, name)),
    ...report.backoff.filter((row) => row.plan === plan).map((row) => ofClients(row, name)),
  ])
  return value !== null && value > 0 && !isBacked(report, name) ? null : value
}

/** A latency of a plan in the worst stretch of `everyMs`; null where it was not measured. */
export const measureStretches = (report: Measured, name: FigureName, everyMs: number, plan: string): number | null =>
  worst(
    report.load
      .filter((row) => row.plan === plan)
      .flatMap((row) => row.worstStretches.filter((each) => each.figure === name && each.everyMs === everyMs))
      .map(({ value }) => value),
  )

/** What a figure of the whole run came to; null where it was not measured. */
export const measureRun = (report: Measured, name: FigureName): number | null => {
  const { clauses } = report
  const binding = clauses.filter(({ level }) => level !== 'observe')
  if (name === 'inconclusive')
    return binding.filter(({ verdict, waived }) => verdict === 'inconclusive' && waived === null).length
  if (name === 'warnings')
    return clauses.filter(({ level, verdict, waived }) => level === 'should' && verdict === 'fail' && !waived).length
  if (name === 'notTested') return binding.filter(({ verdict }) => verdict === 'not-tested').length
  if (name === 'unrestored') return countUnrestored(report).changed
  if (name === 'requests') return requestTotals(report).spent
  if (name === 'durationMs') return report.run.durationMs
  return null
}
