import { appendFileSync } from 'node:fs'
import { whyOf } from '../../kit/usage-error.js'
import { renderAnnotations } from '../../report/formats/annotations.js'
import { renderMarkdown } from '../../report/formats/markdown.js'
import { renderTerminal, renderVerdict } from '../../report/formats/terminal.js'
import type { Report } from '../../report/model.js'
import { inUseBy } from '../../run/run-folder.js'
import type { ProgressOutput } from './progress.js'
import { formats } from './report-formats.js'

/** Adds Markdown to the job's summary where the pipeline offers a file for it; a summary that can't be written is no failure. */
export const summarise = (markdown: string): void => {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (!file) return
  try {
    appendFileSync(file, `${markdown}\n`)
  } catch (error) {
    process.stderr.write(`the job summary can't be written: ${whyOf(error)}\n`)
  }
}

/** Tells a pipeline, in its own words, what something came to: annotations and the job's summary, where it has them. */
export const tellInPipeline = (annotations: string, markdown: string, output: Pick<ProgressOutput, 'write'>): void => {
  if (process.env.GITHUB_ACTIONS === 'true') output.write(annotations)
  summarise(markdown)
}

const usualWidth = 100
const mostWidth = 120

/** How an output looks: in colour where it is a terminal that can, and NO_COLOR (no-color.org) does not say otherwise. */
export const terminalLook = (
  { isTTY, columns }: Omit<ProgressOutput, 'write'> = process.stdout,
  environment: NodeJS.ProcessEnv = process.env,
): { readonly colour: boolean; readonly width: number } => ({
  colour: isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb',
  width: Math.min(columns ?? usualWidth, mostWidth),
})

/** How a run is shown. */
export interface ShownFlags {
  readonly quiet?: boolean
  readonly as?: keyof typeof formats
}

const nowhere: ProgressOutput = { write: () => {} }

/**
 * Standard output is for what the run came to, and standard error for the rest; with a format the report is all that
 * standard output gets. Quietly, only the verdict is said.
 */
export const runOutput = ({ quiet = false, as }: ShownFlags) => ({
  say(text: string): void {
    if (!quiet) process.stderr.write(`${text}\n`)
  },
  progress: quiet ? nowhere : process.stderr,
  /** Says what the run came to. `path`: of the page that was written; null where none was. */
  async conclude(report: Report, path: string | null): Promise<void> {
    const to = as === undefined ? process.stdout : process.stderr
    const render = quiet ? renderVerdict : renderTerminal
    to.write(`${render(report, { ...terminalLook(to), reportPath: path })}\n`)
    tellInPipeline(renderAnnotations(report), renderMarkdown(report), to)
    if (as !== undefined) process.stdout.write(await formats[as]({ report: () => report, file: path ?? 'report.html' }))
  },
})

/** What `write` makes of the folder of a saved run; null where somebody writes there, who writes the reports himself. */
export const unlessInUse = (folder: string, write: () => string): string | null => {
  const who = inUseBy(folder)
  if (who === undefined) return write()
  process.stderr.write(`${folder}: ${who}; judging what is there so far, without writing a report\n`)
  return null
}
