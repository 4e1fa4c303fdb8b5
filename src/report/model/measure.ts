import { type FigureName, figures } from '../../contract/figures.js'
import type { BackoffRow, ClauseRow, QuotaRow, Report } from '../model.js'
import { countUnrestored, requestTotals } from '../summary.js'

export type Measured = Pick<
  Report,
  'run' | 'clauses' | 'quotas' | 'certificates' | 'load' | 'limiterCosts' | 'backoff' | 'spending' | 'unrestored'
>

const worst = (values: readonly (number | null)[]): number | null => {
  const measured = values.filter((value) => value !== null)
  return measured.length === 0 ? null : Math.max(...measured)
}

/**
 * The excess that the closest of the models refuted for the same reason leaves unexplained; null if unknown. If it leaves
 * more of the other kind, this one is open, since the two can stand in for each other.
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

/** How long clients that wait as told took; if they gave up before all was done, it was not measured. */
const tookMs = ({ work, served, startedAt, endedAt }: BackoffRow): number | null =>
  work !== null && served >= work ? endedAt - startedAt : null

/** The plan rows, under the names that figures use: `recovery.lateMs` of a quota, `latencyMs.admitted.p99` of a load. */
const measuredRows = ({ quotas, load, limiterCosts, backoff }: Measured): { readonly plan: string }[] => [
  // `unknown` covers only the burst: other requests on the key may be clear, and merely of no use to the oracle.
  ...quotas.map((row) => ({
    ...row,
    overAdmitted: unexplained(row, 'overAdmitted'),
    earlyRefused: unexplained(row, 'earlyRefused'),
  })),
  ...load,
  ...limiterCosts.map(({ plan, ...limiterCost }) => ({ plan, limiterCost })),
  ...backoff
    .filter(({ behaviour }) => behaviour === 'compliant')
    .map((row) => ({ plan: row.plan, compliant: { wasted: row.wasted, tookMs: tookMs(row) } })),
]

/** The number that a dotted name leads to; null if there is none. */
const numberAt = (row: object, name: string): number | null => {
  const step = (part: unknown, key: string) => (part as Readonly<Record<string, unknown>> | null | undefined)?.[key]
  const value = name.split('.').reduce<unknown>(step, row)
  return typeof value === 'number' ? value : null
}

/** A count against a limiter means no more than the clauses that rest on the same: unless one of them fails, it is open. */
const isBacked = (report: Measured, name: FigureName): boolean =>
  (name !== 'overAdmitted' && name !== 'earlyRefused') ||
  report.clauses.some(({ id, verdict }) => verdict === 'fail' && figures[name].clauses.some((each) => each === id))

/** A plan's figure, the worst over its loads and windows; null if it was not measured. */
export const measurePlan = (report: Measured, name: FigureName, plan: string): number | null => {
  const rows = measuredRows(report).filter((row) => row.plan === plan)
  const value = worst(rows.map((row) => numberAt(row, name)))
  return value !== null && value > 0 && !isBacked(report, name) ? null : value
}

/** A latency of a plan in the worst stretch of `everyMs`; null if it was not measured. */
export const measureStretches = (report: Measured, name: FigureName, everyMs: number, plan: string): number | null =>
  worst(
    report.load
      .filter((row) => row.plan === plan)
      .flatMap((row) => row.worstStretches.filter((each) => each.figure === name && each.everyMs === everyMs))
      .map(({ value }) => value),
  )

const countBinding = ({ clauses }: Measured, isMeant: (clause: ClauseRow) => boolean): number =>
  clauses.filter((each) => each.level !== 'observe' && isMeant(each)).length

const ofRun: Readonly<Partial<Record<FigureName, (report: Measured) => number>>> = {
  inconclusive: (report) => countBinding(report, ({ verdict, waived }) => verdict === 'inconclusive' && !waived),
  warnings: (report) =>
    countBinding(report, ({ level, verdict, waived }) => level === 'should' && verdict === 'fail' && !waived),
  notTested: (report) => countBinding(report, ({ verdict }) => verdict === 'not-tested'),
  unrestored: (report) => countUnrestored(report).changed,
  requests: (report) => requestTotals(report).spent,
  durationMs: ({ run }) => run.durationMs,
}

export const measureRun = (report: Measured, name: FigureName): number | null => ofRun[name]?.(report) ?? null
