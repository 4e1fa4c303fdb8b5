import { appendFileSync } from 'node:fs'
import { whyOf } from '../../kit/usage-error.js'
import { visible } from '../../report/escape.js'
import { renderAnnotations } from '../../report/formats/annotations.js'
import { renderMarkdown } from '../../report/formats/markdown.js'
import { renderTerminal } from '../../report/formats/terminal.js'
import { headlineLines, narrowestPage, painter, type TerminalOptions } from '../../report/formats/terminal-text.js'
import type { Report } from '../../report/model.js'
import { inUseBy } from '../../run/run-folder.js'
import type { ProgressOutput } from './progress.js'
import { formats } from './report-formats.js'

/** Adds Markdown to the job's summary, if the pipeline has a file for it; failing to write it is no failure. */
export const summarise = (markdown: string): void => {
  const file = process.env.GITHUB_STEP_SUMMARY
  if (!file) return
  try {
    appendFileSync(file, `${markdown}\n`)
  } catch (error) {
    process.stderr.write(`the job summary can't be written: ${whyOf(error)}\n`)
  }
}

/** Reports a result to a pipeline by annotations and the job's summary, if it has them. */
export const tellInPipeline = (annotations: string, markdown: string, output: Pick<ProgressOutput, 'write'>): void => {
  if (process.env.GITHUB_ACTIONS === 'true') output.write(annotations)
  summarise(markdown)
}

const usualWidth = 100
const mostWidth = 120

/** The look of an output: coloured if it is a terminal that can, unless NO_COLOR (no-color.org) is set. */
export const terminalLook = (
  { isTTY, columns }: Omit<ProgressOutput, 'write'> = process.stdout,
  environment: NodeJS.ProcessEnv = process.env,
): { readonly colour: boolean; readonly width: number } => ({
  colour: isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb',
  width: Math.min(columns ?? usualWidth, mostWidth),
})

export interface ShownFlags {
  readonly quiet?: boolean
  readonly as?: keyof typeof formats
}

const nowhere: ProgressOutput = { write: () => {} }

/** A run's outcome in a line or two, and where its report is. */
const renderVerdict = (report: Report, { colour, width, reportPath }: TerminalOptions): string => {
  const paint = painter(colour)
  const lines = headlineLines(report, Math.max(narrowestPage, width), paint)
  return [...lines, ...(reportPath === null ? [] : [`${paint('dim', 'report')}  ${visible(reportPath)}`])].join('\n')
}

/**
 * Standard output gets the run's result, standard error everything else; with a format, standard output gets only the
 * report. With `quiet`, only the verdict is printed.
 */
export const runOutput = ({ quiet = false, as }: ShownFlags) => ({
  say(text: string): void {
    if (!quiet) process.stderr.write(`${text}\n`)
  },
  progress: quiet ? nowhere : process.stderr,
  /** Prints the run's result. `path`: of the written page; null if there is none. */
  async conclude(report: Report, path: string | null): Promise<void> {
    const to = as === undefined ? process.stdout : process.stderr
    const render = quiet ? renderVerdict : renderTerminal
    to.write(`${render(report, { ...terminalLook(to), reportPath: path })}\n`)
    tellInPipeline(renderAnnotations(report), renderMarkdown(report), to)
    if (as !== undefined) process.stdout.write(await formats[as]({ report: () => report, file: path ?? 'report.html' }))
  },
})

/** Calls `write` for a saved run's folder; null if another process is using it, which writes its own reports. */
export const unlessInUse = (folder: string, write: () => string): string | null => {
  const who = inUseBy(folder)
  if (who === undefined) return write()
  process.stderr.write(`${folder}: ${who}; judging what is there so far, without writing a report\n`)
  return null
}
