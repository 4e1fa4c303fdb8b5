import { exitCodes } from '../../assembly/exit-code.js'
import { compareAudits } from '../../client-audit/report/compare-audits.js'
import type { ClientReport } from '../../client-audit/report/model.js'
import { UsageError } from '../../kit/usage-error.js'
import { type Comparison, compareRuns, type NoiseFloors } from '../../report/comparison.js'
import {
  renderComparisonHtml,
  renderComparisonMarkdown,
  renderComparisonTerminal,
} from '../../report/comparison-views.js'
import type { Report } from '../../report/model.js'
import { toolVersion } from '../../run/package.js'
import type { ArgsOf } from '../flags/command.js'
import type { savedRunCommands } from '../flags/saved-runs.js'
import { readAuditReport, readReport } from '../output/saved-report.js'
import { summarise, terminalLook } from '../output/summary.js'

const formats = {
  terminal: (comparison: Comparison, all: boolean) =>
    `${renderComparisonTerminal(comparison, { ...terminalLook(), all })}\n`,
  markdown: renderComparisonMarkdown,
  json: (comparison: Comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
  html: (comparison: Comparison, all: boolean) => renderComparisonHtml(comparison, toolVersion, all),
}
/** Refuses runs of different scenarios or time scales: they differ in what was sent, not in what the target does. */
const checkComparable = (baselines: readonly Report[], run: Report): void => {
  for (const { run: baseline } of baselines) {
    if (baseline.scenario !== run.run.scenario)
      throw new UsageError(
        `${baseline.scenario} and ${run.run.scenario} are different scenarios: compare runs of the same one`,
      )
    if (baseline.timeScale !== run.run.timeScale)
      throw new UsageError(
        `the runs have different time scales (${baseline.timeScale} and ${run.run.timeScale}): compare runs with the same one`,
      )
  }
}

/** Refuses audits of different cases, or of a part of them: they differ in what was asked. */
const checkAuditsComparable = (audits: readonly ClientReport[]): void => {
  const [first, ...others] = audits
  const cut = audits.find(({ run }) => run.interrupted)
  if (cut) throw new UsageError(`the audit ${cut.run.id} was interrupted: compare complete audits`)
  const casesOf = ({ run, plays }: ClientReport) =>
    `${run.scenario}: ${[...new Set(plays.map((play) => play.case))].sort().join(', ')}`
  if (others.some((each) => casesOf(each) !== casesOf(first)))
    throw new UsageError('the audits played different cases: compare audits of the same ones')
}

/** The comparison of two or more audits of a client; undefined for reports of a target. */
const comparisonOfAudits = (paths: readonly string[]): Comparison | undefined => {
  const read = paths.map(readAuditReport)
  const audits = read.filter((each) => each !== undefined)
  if (audits.length === 0) return undefined
  if (audits.length < read.length)
    throw new UsageError('an audit of a client can only be compared with another audit of a client')
  checkAuditsComparable(audits)
  return compareAudits(audits.slice(0, -1), audits[audits.length - 1])
}

const comparisonOfRuns = (paths: readonly string[], floors: NoiseFloors): Comparison => {
  const reports = paths.map(readReport)
  const baselines = reports.slice(0, -1)
  const run = reports[reports.length - 1]
  checkComparable(baselines, run)
  return compareRuns(baselines, run, floors)
}

/** Compares a run with one or more baselines; the exit code is 1 if something got worse. */
export const compare = ({ runs, as, all, relative, absolute }: ArgsOf<typeof savedRunCommands.compare>): void => {
  if (runs.length < 2) throw new UsageError('two runs are needed: quotaspec compare reports/baseline reports/latest')
  const floors = { share: relative === undefined ? undefined : relative / 100, amountMs: absolute }
  const comparison = comparisonOfAudits(runs) ?? comparisonOfRuns(runs, floors)
  process.stdout.write(formats[as](comparison, all))
  summarise(renderComparisonMarkdown(comparison, all))
  process.exitCode = comparison.regressed ? exitCodes.fail : exitCodes.pass
}
