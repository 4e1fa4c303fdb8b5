import { clip, visible } from '../escape.js'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

/** Terminal styles; without colour the text stays as it is. */
export type Paint = (style: keyof typeof codes, text: string) => string

/** SGR sequences (ECMA-48) around the text, or the text alone. The text must be visible already. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text

/** The narrowest line, however long the label next to it. */
const narrowestLine = 20

/** Made visible, and wrapped at spaces into lines of at most `atMost` characters, or 20; longer words are cut. */
export const wrap = (text: string, atMost: number): string[] => {
  const width = Math.max(narrowestLine, atMost)
  const lines: string[] = []
  let line = ''
  for (const word of visible(text).split(' ')) {
    let rest = word
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line)
      line = ''
    }
    for (; rest.length > width; rest = rest.slice(width)) lines.push(rest.slice(0, width))
    line = line === '' ? rest : `${line} ${rest}`
  }
  return [...lines, line]
}

/** Indented lines, the first with something that fills the indent. */
export const hanging = (text: string, indent: number, width: number, filling = ' '.repeat(indent)): string[] =>
  wrap(text, width - indent).map((line, at) => `${at === 0 ? filling : ' '.repeat(indent)}${line}`)

/** Cells in columns two spaces apart, numbers aligned right (all but the first and the last `leftAtEnd` columns). */
export const columns = (rows: readonly (readonly string[])[], leftAtEnd: number): string[] => {
  const cells = rows.map((row) => row.map(visible))
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)))
  const toTheLeft = (at: number) => at === 0 || at >= widths.length - leftAtEnd
  return cells.map((row) =>
    row
      .map((cell, at) => (toTheLeft(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** The text cut to `width` characters, with the cut marked. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

export interface TerminalOptions {
  readonly colour: boolean
  readonly width: number
  /** Where the report was written; null if it was not. */
  readonly reportPath: string | null
}

export const narrowestPage = 40

export const longestMessage = 600

export const verdictMarks = { pass: '✓', fail: '✗', inconclusive: '?', observed: 'i', 'not-tested': '-' } as const

const outcomes = {
  pass: ['✓ PASS', 'green'],
  fail: ['✗ FAIL', 'red'],
  inconclusive: ['? INCONCLUSIVE', 'yellow'],
} as const

/** The outcome and the headline, as at the start of every report. */
export const headlineLines = (
  { outcome, headline }: { readonly outcome: keyof typeof outcomes; readonly headline: string },
  width: number,
  paint: Paint,
): string[] => {
  const [label, style] = outcomes[outcome]
  return hanging(clip(headline, longestMessage), label.length + 2, width, `${paint(style, label)}  `)
}
