import { visible } from '../../escape.js'

/** What a spreadsheet takes for the beginning of a formula, the wide forms of East Asia among it. */
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/

const quoted = (text: string): string => (/[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Text as a cell: on one line, and behind an apostrophe where a spreadsheet would compute it. */
export const textCell = (text: string): string => {
  const shown = visible(text)
  return quoted(formula.test(shown.trimStart()) ? `'${shown}` : shown)
}

/** A number as a cell, with three decimals at the most; an empty one where there is none. */
export const numberCell = (value: number | null): string =>
  value === null ? '' : String(Number.isInteger(value) ? value : Math.round(value * 1000) / 1000)

/** A line of RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
