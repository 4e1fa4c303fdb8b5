import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './formats/markdown.js'
import { renderTerminal } from './formats/terminal.js'
import { renderHtml } from './html/page.js'
import type { Report } from './model.js'
import { lateLoadsInWords } from './summary.js'
import { passingReport } from './testing/passing-report.js'

/** The loads of the report, and more of the same under these names; those that are named were late. */
const withLate = (...names: readonly string[]): Report => {
  const [first] = passingReport.load as [Report['load'][number]]
  return {
    ...passingReport,
    load: [...passingReport.load, ...names.map((profile) => ({ ...first, profile, late: true }))],
  }
}

describe('loads that were sent late', () => {
  it.each<[string, Report, string | undefined]>([
    ['are not spoken of where none was', passingReport, undefined],
    ['are named with their plan', withLate('steady'), '1 of 3 loads was sent late (steady on Free).'],
    ['are named once', withLate('cost', 'cost'), '2 of 4 loads were sent late (cost on Free).'],
    [
      'are counted beyond four',
      withLate('a', 'b', 'c', 'd', 'e', 'f'),
      '6 of 8 loads were sent late (a on Free, b on Free, c on Free, d on Free and 2 more).',
    ],
  ])('%s', (_, report, words) => {
    const told = lateLoadsInWords(report)
    if (words === undefined) expect(told).toBeUndefined()
    else expect(told).toContain(words)
  })

  it.each([
    ['terminal', (report: Report) => renderTerminal(report, { colour: false, width: 300, reportPath: null })],
    ['HTML', renderHtml],
    ['Markdown', renderMarkdown],
  ] as const)('stand in the summary of %s, with what that does to verdicts', (_, render) => {
    expect(render(withLate('steady'))).toMatch(
      /steady on Free.{1,3} If every load of a plan was late, its quota stays inconclusive/,
    )
    expect(render(passingReport)).not.toContain('missed its schedule')
  })
})
