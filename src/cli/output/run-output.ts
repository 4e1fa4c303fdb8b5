import { renderVerdict } from '../../report/formats/terminal.js'
import type { Report } from '../../report/model.js'
import type { FormatName } from '../report/format-names.js'
import { formats } from '../report/formats.js'
import { tellPipeline } from './ci-output.js'
import { printSummary, terminalLook } from './print-summary.js'
import type { ProgressOutput } from './progress.js'

/** How a run is shown. */
export interface ShownFlags {
  readonly quiet?: boolean
  readonly as?: FormatName
}

/** Where a run says what. */
export interface RunOutput {
  /** Says a line on the way. */
  say(text: string): void
  /** What shows how far the run is. */
  readonly progress: ProgressOutput
  /** Says what the run came to. `path`: of the page that was written; null where none was. */
  conclude(report: Report, path: string | null): Promise<void>
}

const nowhere: ProgressOutput = { write: () => {} }

const verdictOf = (report: Report, path: string | null): string =>
  `${renderVerdict(report, { ...terminalLook(), reportPath: path })}\n`

/**
 * Standard output is for what the run came to, and standard error for the rest; with a format the report is all that
 * standard output gets. Quietly, only the verdict is said.
 */
export const runOutput = ({ quiet = false, as }: ShownFlags): RunOutput => ({
  say: quiet ? () => {} : (text) => process.stderr.write(`${text}\n`),
  progress: quiet ? nowhere : process.stderr,
  async conclude(report, path) {
    const to = as === undefined ? process.stdout : process.stderr
    if (quiet) to.write(verdictOf(report, path))
    else printSummary(report, path, to)
    tellPipeline(report, to)
    if (as !== undefined) process.stdout.write(await formats[as]({ report: () => report, file: path ?? 'report.html' }))
  },
})
