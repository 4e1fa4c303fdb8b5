import { clip, visible } from '../escape.js'
import { measurePlan } from '../model/measure.js'
import type { ClauseRow, LoadRow, QuotaRow, Report } from '../model.js'
import { requestTotals } from '../summary.js'

/** What a value counts: seconds, requests, clauses; `1` for a yes (1), a no (0) and what has no unit. */
type Unit = 's' | '{request}' | '{clause}' | '1'

export type Labels = Readonly<Record<string, string>>

interface Point {
  readonly labels: Labels
  readonly value: number
}

/** A number of a run under a name that stays the same: a gauge, for a report is a snapshot. */
export interface Metric {
  /** With dots and without its unit: `run.duration`. */
  readonly name: string
  readonly help: string
  readonly unit: Unit
  readonly points: readonly Point[]
}

/** A metric of the values that are known: one that is null was not measured, and is left out. */
const metric = (
  name: string,
  unit: Unit,
  help: string,
  values: readonly (readonly [Labels, number | null | undefined])[],
): Metric => ({
  name,
  help,
  unit,
  points: values.flatMap(([labels, value]) => (typeof value === 'number' ? [{ labels, value }] : [])),
})

/** Milliseconds as seconds, to the microsecond. */
const inSeconds = (ms: number | null | undefined): number | null =>
  typeof ms === 'number' ? Math.round(ms * 1000) / 1_000_000 : null

/** 1 for a pass, 0 for a fail; null for a verdict that says neither. */
const held = (verdict: string): number | null => (verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null)

const outcomes = ['pass', 'fail', 'inconclusive'] as const

const startOf = ({ run }: Report): number | null => {
  const startedAt = Date.parse(run.startedAt)
  return Number.isNaN(startedAt) ? null : inSeconds(startedAt)
}

const aboutRun = (report: Report): Metric[] => {
  const { run, target, tool } = report
  const spent = requestTotals(report)
  const info: Labels = { version: tool.version, ...(target.contract !== undefined && { contract: target.contract }) }
  return [
    metric('run.info', '1', 'What wrote these figures: always 1.', [[info, 1]]),
    metric(
      'run.outcome',
      '1',
      'The outcome of the run: 1 for what it came to, 0 for what it did not.',
      outcomes.map((outcome) => [{ outcome }, report.outcome === outcome ? 1 : 0]),
    ),
    metric('run.exit_code', '1', 'The exit code of the run.', [[{}, run.exitCode]]),
    metric('run.started_timestamp', 's', 'When the run began, since the epoch.', [[{}, startOf(report)]]),
    metric('run.duration', 's', 'How long the run took.', [[{}, inSeconds(run.durationMs)]]),
    metric('run.spent_requests', '{request}', 'Requests that the run sent, on all keys.', [[{}, spent.spent]]),
    metric('run.planned_requests', '{request}', 'Requests that the run was to send at the most.', [
      [{}, spent.planned],
    ]),
  ]
}

/** A failure that is known and waived has a verdict of its own here, since it does not count. */
const verdictOf = ({ verdict, waived }: ClauseRow): string =>
  verdict === 'fail' && waived !== null ? 'waived' : verdict

const clauseCounts = ({ clauses }: Report): (readonly [Labels, number])[] => {
  const counts = new Map<string, readonly [Labels, number]>()
  for (const clause of clauses) {
    const labels = { level: clause.level, verdict: verdictOf(clause) }
    const key = `${labels.level} ${labels.verdict}`
    counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1])
  }
  return [...counts.values()]
}

const failed = ({ verdict }: ClauseRow): number | null => {
  const kept = held(verdict)
  return kept === null ? null : 1 - kept
}

/** What a run came to as a whole: outcome, clauses, gates, the inventory. */
const runMetrics = (report: Report): Metric[] => [
  ...aboutRun(report),
  metric('clauses', '{clause}', 'Clauses of each level by what was found of them.', clauseCounts(report)),
  metric(
    'clause.failed',
    '1',
    'Whether the target breaks a clause; absent where that was not settled.',
    report.clauses.map((row) => [
      { clause: row.id, level: row.level, waived: String(row.waived !== null) },
      failed(row),
    ]),
  ),
  metric(
    'gate.held',
    '1',
    'Whether a gate holds; absent where what it is about was not measured.',
    report.gates.map((gate) => [{ gate: gate.id, waived: String(gate.waived !== null) }, held(gate.verdict)]),
  ),
  metric('inventory.restored', '1', 'Whether the inventory was left as it was found.', [
    [{}, report.target.contract === undefined ? Number(report.restored) : null],
  ]),
]

const quotaLabels = ({ plan, window }: QuotaRow): Labels => ({ plan, window })

const decided = ['admitted', 'refused', 'unknown'] as const

/** What was found of each quota: whether it is kept, what it let through, when it came back. */
const quotaMetrics = (report: Report): Metric[] => {
  const { quotas } = report
  const plans = [...new Set(quotas.map(({ plan }) => plan))]
  const each = (value: (row: QuotaRow) => number | null | undefined) =>
    quotas.map((row) => [quotaLabels(row), value(row)] as const)
  return [
    metric(
      'quota.kept',
      '1',
      'Whether a limiter explains what a quota admitted and refused; absent where it was not judged.',
      each(({ verdict }) => held(verdict)),
    ),
    metric(
      'quota.limit',
      '{request}',
      'Requests that a quota allows in one window.',
      each(({ limit }) => limit),
    ),
    metric(
      'quota.window',
      's',
      'The window of a quota.',
      each(({ windowMs }) => inSeconds(windowMs)),
    ),
    metric(
      'quota.requests',
      '{request}',
      'Requests of the burst that a quota was judged by, as it decided them.',
      quotas.flatMap((row) => decided.map((outcome) => [{ ...quotaLabels(row), outcome }, row[outcome]] as const)),
    ),
    metric(
      'quota.most_admitted',
      '{request}',
      'The most that was admitted within any span of one window; a fixed window allows up to twice its limit.',
      each(({ worstMinute }) => worstMinute),
    ),
    metric(
      'quota.recovery',
      's',
      'From the last refusal of the load to the first admission after it.',
      each(({ recovery }) => inSeconds(recovery?.afterMs)),
    ),
    metric(
      'quota.recovery_late',
      's',
      'For how long the key was still refused after the moment that Retry-After had named.',
      each(({ recovery }) => inSeconds(recovery?.lateMs)),
    ),
    metric(
      'plan.over_admitted',
      '{request}',
      'Requests beyond what the closest limiter that the contract allows lets through.',
      plans.map((plan) => [{ plan }, measurePlan(report, 'overAdmitted', plan)]),
    ),
    metric(
      'plan.early_refused',
      '{request}',
      'Refusals that the closest limiter that the contract allows does not explain.',
      plans.map((plan) => [{ plan }, measurePlan(report, 'earlyRefused', plan)]),
    ),
  ]
}

const loadLabels = ({ profile, plan }: LoadRow): Labels => ({ profile, plan })

const ends = { answered: 'answered', errors: 'error', timeouts: 'timeout', lost: 'lost' } as const

const quantiles = { p50: '0.5', p90: '0.9', p99: '0.99', max: '1' } as const

const atQuantiles = (
  labels: Labels,
  figures: Readonly<Partial<Record<keyof typeof quantiles, number>>> | null | undefined,
): (readonly [Labels, number | null])[] =>
  Object.entries(quantiles).map(([name, quantile]) => [
    { ...labels, quantile },
    inSeconds(figures?.[name as keyof typeof quantiles]),
  ])

const latencies = (row: LoadRow, by: LoadRow['latencyFromPlannedMs']): (readonly [Labels, number | null])[] =>
  (['admitted', 'refused'] as const).flatMap((answer) => atQuantiles({ ...loadLabels(row), answer }, by?.[answer]))

/** What each load sent, what became of it, and how evenly the generator sent it. */
const loadMetrics = ({ load }: Report): Metric[] => [
  metric(
    'load.requests',
    '{request}',
    'Requests of a load by what became of them.',
    load.flatMap((row) =>
      Object.entries(ends).map(([name, end]) => [{ ...loadLabels(row), end }, row[name as keyof typeof ends]] as const),
    ),
  ),
  metric(
    'load.planned_requests',
    '{request}',
    'Requests that a load was to send.',
    load.map((row) => [loadLabels(row), row.planned]),
  ),
  metric(
    'load.latency',
    's',
    'From sending a request to the head of its answer, at each quantile; 1 is the slowest.',
    load.flatMap((row) => latencies(row, row.latencyMs)),
  ),
  metric(
    'load.latency_from_planned',
    's',
    'The same from the moment at which the schedule wanted the request sent.',
    load.flatMap((row) => latencies(row, row.latencyFromPlannedMs)),
  ),
  metric(
    'load.schedule_error',
    's',
    'How far from its planned moment a request was sent, at each quantile.',
    load.flatMap((row) => atQuantiles(loadLabels(row), row.scheduleErrorMs)),
  ),
  metric(
    'load.stood_still',
    's',
    'The longest time for which the generator itself stood still.',
    load.map((row) => [loadLabels(row), inSeconds(row.stoodStillMs)]),
  ),
]

const longestLabel = 200

const shown = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, clip(visible(value), longestLabel)]))

/** A series has one value: of several loads that are called alike, the second one is part 2. */
const apart = (points: Metric['points']): Metric['points'] => {
  const seen = new Map<string, number>()
  return points.map(({ labels, value }) => {
    const key = JSON.stringify(labels)
    const part = (seen.get(key) ?? 0) + 1
    seen.set(key, part)
    return part === 1 ? { labels, value } : { labels: { ...labels, part: String(part) }, value }
  })
}

/**
 * The figures of a report as metrics, each with at least one value, each value with target and scenario among its labels,
 * and no two values of a metric with the same labels. No label holds a character that can't be seen.
 */
export const reportMetrics = (report: Report): Metric[] => {
  const common = { target: report.target.baseUrl, scenario: report.run.scenario }
  return [...runMetrics(report), ...quotaMetrics(report), ...loadMetrics(report)]
    .filter(({ points }) => points.length > 0)
    .map((each) => ({
      ...each,
      points: apart(each.points.map(({ labels, value }) => ({ labels: shown({ ...common, ...labels }), value }))),
    }))
}
