import type { ClauseRow, Report } from '../../model.js'
import { requestTotals } from '../../summary.js'
import { held, inSeconds, type Labels, type Metric, metric } from './metric.js'

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
export const runMetrics = (report: Report): Metric[] => [
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
