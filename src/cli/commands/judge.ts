import type { CommandModule } from 'yargs'
import { buildReport } from '../../assembly/build-report.js'
import { checks } from '../../checks/all.js'
import { judge } from '../../runner/judging/judge.js'
import { loadWaivers } from '../../scenario/load-waivers.js'
import { savedEvidence } from '../folder/saved-run.js'
import { unlessInUse } from '../folder/unless-in-use.js'
import { tellPipeline } from '../output/ci-output.js'
import { printSummary } from '../output/print-summary.js'
import { toolVersion } from '../process/package-root.js'
import { writeReports } from '../run/write-reports.js'

interface Args {
  readonly dir: string
  readonly waivers?: string
}

/** Judges a saved run again, offline: the same evidence gives the same verdicts. */
export const judgeCommand: CommandModule<object, Args> = {
  command: 'judge <dir>',
  describe: 'Judge a saved run again, offline',
  builder: (yargs) =>
    yargs
      .positional('dir', { type: 'string', demandOption: true, describe: 'The folder of the run' })
      .option('waivers', { type: 'string', describe: 'Known failures, instead of those that the run was told of' }),
  handler: ({ dir, waivers }) => {
    const saved = savedEvidence(dir, (text) => process.stderr.write(`${text}\n`))
    const ids = checks.map(({ id }) => id)
    const evidence =
      waivers === undefined ? saved : { ...saved, run: { ...saved.run, waivers: loadWaivers(waivers, ids) } }
    const report = buildReport(evidence, judge(evidence), { version: toolVersion, crashed: false })
    const path = unlessInUse(dir, () => writeReports(dir, report))
    printSummary(report, path)
    tellPipeline(report)
    process.exitCode = report.run.exitCode
  },
}
