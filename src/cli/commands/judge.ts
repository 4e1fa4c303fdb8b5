import type { CommandModule } from 'yargs'
import { judge } from '../../runner/judge.js'
import { buildReport } from '../build-report.js'
import { toolVersion } from '../package-root.js'
import { printSummary } from '../print-summary.js'
import { savedEvidence } from '../saved-run.js'
import { writeReports } from '../write-reports.js'

interface Args {
  readonly dir: string
}

/** Judges a saved run again, offline: the same evidence gives the same verdicts. */
export const judgeCommand: CommandModule<object, Args> = {
  command: 'judge <dir>',
  describe: 'Judge a saved run again, offline',
  builder: (yargs) =>
    yargs.positional('dir', { type: 'string', demandOption: true, describe: 'The folder of the run' }),
  handler: ({ dir }) => {
    const evidence = savedEvidence(dir, (text) => process.stderr.write(`${text}\n`))
    const report = buildReport(evidence, judge(evidence), { version: toolVersion, crashed: false })
    printSummary(report, writeReports(dir, report))
    process.exitCode = report.run.exitCode
  },
}
