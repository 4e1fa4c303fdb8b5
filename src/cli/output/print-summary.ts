import { renderTerminal } from '../../report/formats/terminal.js'
import type { Report } from '../../report/model.js'

const usualWidth = 100
const mostWidth = 120

/** What is asked of an output, so that it is known how it looks. */
interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** How an output looks: in colour where it is a terminal that can, and NO_COLOR (no-color.org) does not say otherwise. */
export const terminalLook = (
  { isTTY, columns }: Output = process.stdout,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly colour: boolean; readonly width: number } => ({
  colour: isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb',
  width: Math.min(columns ?? usualWidth, mostWidth),
})

/** Prints what a run came to. */
export const printSummary = (
  report: Report,
  reportPath: string | null,
  output: Output & { write(text: string): unknown } = process.stdout,
): void => {
  output.write(`${renderTerminal(report, { ...terminalLook(output), reportPath })}\n`)
}
