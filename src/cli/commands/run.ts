import { accessSync, constants, mkdirSync } from 'node:fs'
import type { CommandModule } from 'yargs'
import { formatDuration } from '../../kit/duration.js'
import { UsageError } from '../../kit/usage-error.js'
import type { Report } from '../../report/model.js'
import { confirmLoad, userTerminal } from '../confirm-load.js'
import { settleEarlierRun } from '../earlier-run.js'
import { executeRun } from '../execute-run.js'
import { exitCodes } from '../exit-code.js'
import { untilInterrupted } from '../interruption.js'
import { keyWarnings } from '../key-file.js'
import { withoutKeys } from '../last-resort.js'
import { tellPipeline } from '../pipeline.js'
import { type PreparedRun, prepareRun } from '../prepare-run.js'
import { printSummary } from '../print-summary.js'
import { createProgress } from '../progress.js'
import { type RunFlags, runOptions, withScenario } from '../run-options.js'
import { writeReports } from '../write-reports.js'

type Args = RunFlags & { scenario: string }

const makeWritable = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new UsageError(
      `--out ${folder}: can't be written (${error instanceof Error ? error.message : error}); name another folder`,
    )
  }
}

/** Tells before anything is sent what it will be, who can see the keys, and who may be listening. */
const announce = (args: Args, { plan, head, safety }: PreparedRun, requests: number): void => {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  for (const warning of keyWarnings(args)) say(`note: ${warning}`)
  if (safety.tls.insecure) say('WARNING: --insecure: no certificate is checked, and the keys go to whoever answers')
  const about = formatDuration(plan.durationMs)
  say(`${head.scenario} against ${head.baseUrl}: at most ${requests} requests, about ${about}`)
}

/** Writes the reports; a folder that takes none any more is told, and the summary still printed. */
const tryToWriteReports = (folder: string, report: Report): string | null => {
  try {
    return writeReports(folder, report)
  } catch (error) {
    process.stderr.write(`the reports can't be written: ${error instanceof Error ? error.message : error}\n`)
    return null
  }
}

/** Plays a scenario against a target and sets the process's exit code. */
export const runScenario = async (args: Args): Promise<number> => {
  const prepared = prepareRun(args.scenario, args, process.env)
  makeWritable(args.out)
  const requests = prepared.plan.requests.reduce((sum, row) => sum + row.requests, 0)
  announce(args, prepared, requests)
  await confirmLoad(prepared, args, userTerminal)
  const foreseen = { requests, durationMs: prepared.plan.durationMs }
  const progress = createProgress(process.stderr, { foreseen })
  const { signal, release } = untilInterrupted(args.out, progress.say)
  const { head, keys, safety } = prepared
  await settleEarlierRun({
    folder: args.out,
    baseUrl: head.baseUrl,
    keys,
    safety,
    signal,
    say: (text) => process.stderr.write(`${text}\n`),
    readOnly: head.readOnly,
  })
  const { report, crashes } = await executeRun(prepared, {
    out: args.out,
    allowLoad: args['allow-load'],
    interrupt: signal,
    watch: progress.watch,
  }).finally(() => {
    progress.end()
    release()
  })
  for (const { probe, error } of crashes) {
    const text = error instanceof Error ? error.stack : error
    process.stderr.write(withoutKeys(`defect of quotaspec in ${probe}: ${text}\n`))
  }
  const path = tryToWriteReports(args.out, report)
  printSummary(report, path)
  tellPipeline(report)
  return path === null ? exitCodes.harness : report.run.exitCode
}

export const runCommand: CommandModule<object, Args> = {
  command: 'run [scenario]',
  describe: 'Play a scenario against a target and judge it',
  builder: (yargs) => withScenario(yargs).options(runOptions) as never,
  handler: async (args) => {
    process.exitCode = await runScenario(args)
  },
}
