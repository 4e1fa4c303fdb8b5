import { clip, markdownCode, markdownText } from '../../escape.js'

const longestText = 400

/** Each outcome, as a report in Markdown begins. */
export const outcomeMark = { pass: '✅ PASS', fail: '❌ FAIL', inconclusive: '❔ INCONCLUSIVE' } as const

/** Each verdict in a table of Markdown. */
export const verdictMark = {
  pass: '✅ pass',
  fail: '❌ fail',
  inconclusive: '❔ inconclusive',
  observed: '👁 observed',
  'not-tested': '– not tested',
} as const

/** Text of a report in Markdown: no more than 400 characters of it, and nothing in it is markup. */
export const text = (value: string): string => markdownText(clip(value, longestText))

/** The same as code. */
export const code = (value: string): string => markdownCode(clip(value, longestText))

/** The lines of a table, and an empty one. The cells are Markdown already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), '']
}
