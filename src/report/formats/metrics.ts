import type { FigureName } from '../../contract/figures.js'
import { clip, visible } from '../escape.js'
import { measurePlan } from '../model/measure.js'
import type { LoadRow, QuotaRow, Report } from '../model.js'
import { subjectOf } from '../quotas.js'
import { requestTotals } from '../summary.js'

const attributes = (labels: Labels) =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: visible(value) } }))

const latestMs = 8.64e15

/** The end of the run in nanoseconds since the epoch, in a string, as OTLP writes 64-bit integers; left out if unknown. */
const endOf = ({ run }: Report): { readonly timeUnixNano?: string } => {
  const endMs = Math.round(Date.parse(run.startedAt) + run.durationMs)
  return endMs >= 0 && endMs <= latestMs ? { timeUnixNano: String(BigInt(endMs) * 1_000_000n) } : {}
}

const gauge = ({ name, help, unit, points }: Metric, time: ReturnType<typeof endOf>) => ({
  name: `quotaspec.${name}`,
  description: help,
  unit,
  gauge: {
    dataPoints: points.map(({ labels, value }) => ({ attributes: attributes(labels), ...time, asDouble: value })),
  },
})

/** OTLP metrics in JSON, as posted to `/v1/metrics`. A run is a resource; each value has the time of the run's end. */
export const renderOtlp = (report: Report): string => {
  const { tool, run } = report
  const resource = { 'service.name': tool.name, 'service.version': tool.version, 'quotaspec.run.id': run.id }
  const time = endOf(report)
  const request = {
    resourceMetrics: [
      {
        resource: { attributes: attributes(resource) },
        scopeMetrics: [
          {
            scope: { name: tool.name, version: tool.version },
            metrics: reportMetrics(report).map((each) => gauge(each, time)),
          },
        ],
      },
    ],
  }
  return `${JSON.stringify(request, null, 2)}\n`
}

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`)
    .join(',')

const family = ({ name, help, unit, points }: Metric): string[] => {
  const seconds = unit === 's'
  const full = `quotaspec_${name.replaceAll('.', '_')}${seconds ? '_seconds' : ''}`
  return [
    `# TYPE ${full} gauge`,
    ...(seconds ? [`# UNIT ${full} seconds`] : []),
    `# HELP ${full} ${help}`,
    ...points.map(({ labels, value }) => `${full}{${labelsText(labels)}} ${value}`),
  ]
}

/** OpenMetrics 1.0.0: gauges without timestamps, so that readers of the older Prometheus text format accept it too. */
export const renderOpenMetrics = (report: Report): string =>
  `${[...reportMetrics(report).flatMap(family), '# EOF'].join('\n')}\n`

/** The unit of a value: seconds, requests, clauses; `1` for yes (1) and no (0), and for values without a unit. */
type Unit = 's' | '{request}' | '{clause}' | '1'

type Labels = Readonly<Record<string, string>>

/** A number of a run under a stable name: a gauge, since a report is a snapshot. */
interface Metric {
  /** With dots and without its unit: `run.duration`. */
  readonly name: string
  readonly help: string
  readonly unit: Unit
  readonly points: readonly { readonly labels: Labels; readonly value: number }[]
}

const metrics = {
  'run.info': ['1', 'The version of quotaspec, and the contract, as labels; always 1.'],
  'run.outcome': ['1', 'The outcome of the run: 1 for the one it had, 0 for the others.'],
  'run.exit_code': ['1', 'The exit code of the run.'],
  'run.started_timestamp': ['s', 'When the run began, since the epoch.'],
  'run.duration': ['s', 'How long the run took.'],
  'run.spent_requests': ['{request}', 'Requests that the run sent, on all keys.'],
  'run.planned_requests': ['{request}', 'The most requests that the run was planned to send.'],
  clauses: ['{clause}', 'How many clauses of each level got each verdict.'],
  'clause.failed': ['1', 'Whether the target breaks a clause; absent if undecided.'],
  'gate.held': ['1', 'Whether a gate holds; absent if undecided.'],
  'inventory.restored': ['1', 'Whether the run restored the inventory.'],
  'quota.kept': ['1', 'Whether a permitted limiter explains what a quota admitted and refused; absent if undecided.'],
  'quota.limit': ['{request}', 'Requests that a quota allows in one window.'],
  'quota.window': ['s', 'The window of a quota.'],
  'quota.requests': [
    '{request}',
    'Requests of the burst on a fresh window, by outcome; without a burst, all requests on the key.',
  ],
  'quota.most_admitted': [
    '{request}',
    'The most that was admitted within any span of one window; a fixed window allows up to twice its limit.',
  ],
  'quota.recovery': ['s', 'Time from the last refusal of the load to the first admission after it.'],
  'quota.recovery_late': ['s', 'How long the key was still refused after the moment that Retry-After had named.'],
  'plan.over_admitted': ['{request}', 'Admitted requests that the closest permitted limiter would have refused.'],
  'plan.early_refused': ['{request}', 'Refused requests that the closest permitted limiter would have admitted.'],
  'load.requests': ['{request}', 'Requests of a load, by how they ended.'],
  'load.planned_requests': ['{request}', 'Requests that a load was planned to send.'],
  'load.latency': [
    's',
    'Time from sending a request to the headers of its answer, at each quantile; 1 is the slowest.',
  ],
  'load.latency_from_planned': [
    's',
    'Time from the planned moment of a request to the headers of its answer, at each quantile; 1 is the slowest.',
  ],
  'load.schedule_error': ['s', 'How far from its planned moment a request was sent, at each quantile.'],
  'load.stood_still': ['s', 'The longest stall of the load generator itself.'],
} as const satisfies Readonly<Record<string, readonly [Unit, string]>>

/** The labels of a value, and the value unless it was not measured. */
type ValueOf = readonly [Labels, number | null | undefined]

const entriesOf = <T extends object>(of: T) => Object.entries(of) as { [K in keyof T]: [K, T[K]] }[keyof T][]

const inSeconds = (ms: number | null | undefined): number | null =>
  typeof ms === 'number' && !Number.isNaN(ms) ? Math.round(ms * 1000) / 1_000_000 : null

/** 1 for a pass, 0 for a fail; null for any other verdict. */
const held = (verdict: string): number | null => (verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null)

const ofRun =
  (value: (report: Report) => ValueOf[1]) =>
  (report: Report): ValueOf[] => [[{}, value(report)]]

const clauseCounts = ({ clauses }: Report): ValueOf[] => {
  const counts = new Map<string, readonly [Labels, number]>()
  for (const { level, verdict, waived } of clauses) {
    // A waived failure has a verdict of its own here, since it does not count.
    const labels = { level, verdict: verdict === 'fail' && waived !== null ? 'waived' : verdict }
    const key = `${labels.level} ${labels.verdict}`
    counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1])
  }
  return [...counts.values()]
}

const ofQuotas =
  (value: (row: QuotaRow) => ValueOf[1]) =>
  ({ quotas }: Report): ValueOf[] =>
    quotas.map((row) => [{ plan: row.plan, window: row.window }, value(row)])

const ofPlans =
  (figure: FigureName) =>
  (report: Report): ValueOf[] =>
    [...new Set(report.quotas.map(({ plan }) => plan))].map((plan) => [{ plan }, measurePlan(report, figure, plan)])

const ofLoads =
  (values: (row: LoadRow, labels: Labels) => readonly ValueOf[]) =>
  ({ load }: Report): ValueOf[] =>
    load.flatMap((row) => values(row, { profile: row.profile, plan: row.plan }))

const decided = ['admitted', 'refused', 'unknown'] as const

const ends = { answered: 'answered', errors: 'error', timeouts: 'timeout', lost: 'lost' } as const

const quantiles = { p50: '0.5', p90: '0.9', p99: '0.99', max: '1' } as const

const atQuantiles = (
  labels: Labels,
  figures: Readonly<Partial<Record<keyof typeof quantiles, number>>> | null | undefined,
): ValueOf[] => entriesOf(quantiles).map(([name, quantile]) => [{ ...labels, quantile }, inSeconds(figures?.[name])])

const latencies = (labels: Labels, by: LoadRow['latencyFromPlannedMs']): ValueOf[] =>
  (['admitted', 'refused'] as const).flatMap((answer) => atQuantiles({ ...labels, answer }, by?.[answer]))

/** The values of each metric, in the order of the output. */
const valuesOf: Readonly<Record<keyof typeof metrics, (report: Report) => readonly ValueOf[]>> = {
  'run.info': (report) => {
    const { contract, hasInventory } = subjectOf(report)
    return [[{ version: report.tool.version, ...(hasInventory ? {} : { contract }) }, 1]]
  },
  'run.outcome': ({ outcome }) =>
    (['pass', 'fail', 'inconclusive'] as const).map((each) => [{ outcome: each }, outcome === each ? 1 : 0]),
  'run.exit_code': ofRun(({ run }) => run.exitCode),
  'run.started_timestamp': ofRun(({ run }) => inSeconds(Date.parse(run.startedAt))),
  'run.duration': ofRun(({ run }) => inSeconds(run.durationMs)),
  'run.spent_requests': ofRun((report) => requestTotals(report).spent),
  'run.planned_requests': ofRun((report) => requestTotals(report).planned),
  clauses: clauseCounts,
  'clause.failed': ({ clauses }) =>
    clauses.map(({ id, level, verdict, waived }) => {
      const kept = held(verdict)
      return [{ clause: id, level, waived: String(waived !== null) }, kept === null ? null : 1 - kept]
    }),
  'gate.held': ({ gates }) =>
    gates.map(({ id, verdict, waived }) => [{ gate: id, waived: String(waived !== null) }, held(verdict)]),
  'inventory.restored': ofRun((report) => (subjectOf(report).hasInventory ? Number(report.restored) : null)),
  'quota.kept': ofQuotas(({ verdict }) => held(verdict)),
  'quota.limit': ofQuotas(({ limit }) => limit),
  'quota.window': ofQuotas(({ windowMs }) => inSeconds(windowMs)),
  'quota.most_admitted': ofQuotas(({ worstMinute }) => worstMinute),
  'quota.recovery': ofQuotas(({ recovery }) => inSeconds(recovery?.afterMs)),
  'quota.recovery_late': ofQuotas(({ recovery }) => inSeconds(recovery?.lateMs)),
  'quota.requests': ({ quotas }) =>
    quotas.flatMap((row) =>
      decided.map((outcome): ValueOf => [{ plan: row.plan, window: row.window, outcome }, row[outcome]]),
    ),
  'plan.over_admitted': ofPlans('overAdmitted'),
  'plan.early_refused': ofPlans('earlyRefused'),
  'load.requests': ofLoads((row, labels) => entriesOf(ends).map(([name, end]) => [{ ...labels, end }, row[name]])),
  'load.planned_requests': ofLoads((row, labels) => [[labels, row.planned]]),
  'load.latency': ofLoads((row, labels) => latencies(labels, row.latencyMs)),
  'load.latency_from_planned': ofLoads((row, labels) => latencies(labels, row.latencyFromPlannedMs)),
  'load.schedule_error': ofLoads((row, labels) => atQuantiles(labels, row.scheduleErrorMs)),
  'load.stood_still': ofLoads((row, labels) => [[labels, inSeconds(row.stoodStillMs)]]),
}

const longestLabel = 200

const shown = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, clip(visible(value), longestLabel)]))

/** A series has one value: if several loads have the same labels, the second one becomes part 2. */
const apart = (points: Metric['points']): Metric['points'] => {
  const seen = new Map<string, number>()
  return points.map(({ labels, value }) => {
    const key = JSON.stringify(labels)
    const part = (seen.get(key) ?? 0) + 1
    seen.set(key, part)
    return part === 1 ? { labels, value } : { labels: { ...labels, part: String(part) }, value }
  })
}

/** The figures as metrics: no two values of a metric have the same labels, and no label hides a character. */
export const reportMetrics = (report: Report): Metric[] => {
  const common = { target: report.target.baseUrl, scenario: report.run.scenario }
  return entriesOf(valuesOf).flatMap(([name, values]) => {
    const [unit, help] = metrics[name]
    const points = values(report).flatMap(([labels, value]) =>
      typeof value === 'number' ? [{ labels: shown({ ...common, ...labels }), value }] : [],
    )
    return points.length === 0 ? [] : [{ name, unit, help, points: apart(points) }]
  })
}
