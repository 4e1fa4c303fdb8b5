import { accessSync, constants, mkdirSync } from 'node:fs'
import type { CommandModule } from 'yargs'
import { formatDuration } from '../../kit/duration.js'
import { UsageError } from '../../kit/usage-error.js'
import { executeRun } from '../execute-run.js'
import { tellPipeline } from '../pipeline.js'
import { prepareRun } from '../prepare-run.js'
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

/** Ctrl-C once ends the run in order; twice ends it at once. */
const untilInterrupted = (): { signal: AbortSignal; release: () => void } => {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) {
      process.stderr.write('\nstopped at once: what is still to be put back stands in the journal as "touched"\n')
      process.exit(130)
    }
    process.stderr.write('\nending in order: the inventory is put back, the report written (again: stop at once)\n')
    controller.abort(new DOMException('interrupted', 'AbortError'))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: controller.signal,
    release: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

/** Plays a scenario against a target and sets the process's exit code. */
export const runScenario = async (args: Args): Promise<number> => {
  const prepared = prepareRun(args.scenario, args, process.env)
  makeWritable(args.out)
  if (args.key.length > 0)
    process.stderr.write(
      'note: keys on the command line can be seen by other users of this machine; QUOTASPEC_KEY_FREE and its like can not\n',
    )
  const { plan, head } = prepared
  const requests = plan.requests.reduce((sum, row) => sum + row.requests, 0)
  process.stderr.write(
    `${head.scenario} against ${head.baseUrl}: at most ${requests} requests, about ${formatDuration(plan.durationMs)}\n`,
  )
  const progress = createProgress(process.stderr)
  const { signal, release } = untilInterrupted()
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
    process.stderr.write(`defect of quotaspec in ${probe}: ${error instanceof Error ? error.stack : error}\n`)
  }
  printSummary(report, writeReports(args.out, report))
  tellPipeline(report)
  return report.run.exitCode
}

export const runCommand: CommandModule<object, Args> = {
  command: 'run [scenario]',
  describe: 'Play a scenario against a target and judge it',
  builder: (yargs) => withScenario(yargs).options(runOptions) as never,
  handler: async (args) => {
    process.exitCode = await runScenario(args)
  },
}
