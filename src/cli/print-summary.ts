import type { Report } from '../report/model.js'
import { renderTerminal } from '../report/render-terminal.js'

const usualWidth = 100

/** Prints what a run came to, in colour where the terminal has any and NO_COLOR does not say otherwise. */
export const printSummary = (report: Report, reportPath: string | null): void => {
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR
  const width = Math.min(process.stdout.columns ?? usualWidth, 120)
  process.stdout.write(`${renderTerminal(report, { colour, width, reportPath })}\n`)
}
