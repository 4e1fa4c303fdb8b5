import { type FigureName, figures } from '../../contract/figures.js'
import type { BackoffRow, ClauseRow, QuotaRow, Report } from '../model.js'
import { countUnrestored, requestTotals } from '../summary.js'

/** The part of a report that figures are read from. */
export type Measured = Pick<
  Report,
  'run' | 'clauses' | 'quotas' | 'certificates' | 'load' | 'limiterCosts' | 'backoff' | 'spending' | 'unrestored'
>

const worst = (values: readonly (number | null)[]): number | null => {
  const measured = values.filter((value) => value !== null)
  return measured.length === 0 ? null : Math.max(...measured)
}

/**
 * What the closest of the models that are refuted alike leaves to explain away; null where that is not known. Where it
 * leaves more of the other kind this one is open, for the two stand in for each other.
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

/** How long clients took that wait as told; where they gave up before all was done, that was not measured. */
const tookMs = ({ work, served, startedAt, endedAt }: BackoffRow): number | null =>
  work !== null && served >= work ? endedAt - startedAt : null

/** The rows of plans as the figures name what stands in them: `recovery.lateMs` of a quota, `latencyMs.admitted.p99` of a load. */
const measuredRows = ({ quotas, load, limiterCosts, backoff }: Measured): { readonly plan: string }[] => [
  // `unknown` is of the burst alone: what else went out on the key may be known, and only of no use to the oracle.
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

/** The number to which a name leads; null where there is none. */
const numberAt = (row: object, name: string): number | null => {
  const step = (part: unknown, key: string) => (part as Readonly<Record<string, unknown>> | null | undefined)?.[key]
  const value = name.split('.').reduce<unknown>(step, row)
  return typeof value === 'number' ? value : null
}

/** A count against a limiter says no more than the clauses that rest on the same: where none of them fails, it is open. */
const isBacked = (report: Measured, name: FigureName): boolean =>
  (name !== 'overAdmitted' && name !== 'earlyRefused') ||
  report.clauses.some(({ id, verdict }) => verdict === 'fail' && figures[name].clauses.some((each) => each === id))

/** What a plan's figure came to, at its worst over its loads and windows; null where it was not measured. */
export const measurePlan = (report: Measured, name: FigureName, plan: string): number | null => {
  const rows = measuredRows(report).filter((row) => row.plan === plan)
  const value = worst(rows.map((row) => numberAt(row, name)))
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

/** What a figure of the whole run came to; null where it was not measured. */
export const measureRun = (report: Measured, name: FigureName): number | null => ofRun[name]?.(report) ?? null
