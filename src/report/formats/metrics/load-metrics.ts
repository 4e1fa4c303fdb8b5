import type { LoadRow, Report } from '../../model.js'
import { inSeconds, type Labels, type Metric, metric } from './metric.js'

const labelsOf = ({ profile, plan }: LoadRow): Labels => ({ profile, plan })

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
  (['admitted', 'refused'] as const).flatMap((answer) => atQuantiles({ ...labelsOf(row), answer }, by?.[answer]))

/** What each load sent, what became of it, and how evenly the generator sent it. */
export const loadMetrics = ({ load }: Report): Metric[] => [
  metric(
    'load.requests',
    '{request}',
    'Requests of a load by what became of them.',
    load.flatMap((row) =>
      Object.entries(ends).map(([name, end]) => [{ ...labelsOf(row), end }, row[name as keyof typeof ends]] as const),
    ),
  ),
  metric(
    'load.planned_requests',
    '{request}',
    'Requests that a load was to send.',
    load.map((row) => [labelsOf(row), row.planned]),
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
    load.flatMap((row) => atQuantiles(labelsOf(row), row.scheduleErrorMs)),
  ),
  metric(
    'load.stood_still',
    's',
    'The longest time for which the generator itself stood still.',
    load.map((row) => [labelsOf(row), inSeconds(row.stoodStillMs)]),
  ),
]
