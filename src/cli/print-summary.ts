import type { Report } from '../report/model.js'
import { renderTerminal } from '../report/render-terminal.js'

const usualWidth = 100
const mostWidth = 120

/** How standard output looks: in colour where it is a terminal and NO_COLOR (no-color.org) does not say otherwise. */
export const terminalLook = (): { readonly colour: boolean; readonly width: number } => ({
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  width: Math.min(process.stdout.columns ?? usualWidth, mostWidth),
})

/** Prints what a run came to. */
export const printSummary = (report: Report, reportPath: string | null): void => {
  process.stdout.write(`${renderTerminal(report, { ...terminalLook(), reportPath })}\n`)
}
