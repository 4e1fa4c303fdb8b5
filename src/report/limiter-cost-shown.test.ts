import { expect, test } from 'vitest'
import { renderMarkdown } from './formats/markdown.js'
import { renderTerminal } from './formats/terminal.js'
import { renderHtml } from './html/page.js'
import type { Report } from './model.js'
import { passingReport } from './testing/passing-report.js'

const of = (count: number, p50: number) => ({ count, p50, p90: 30, p99: 34, max: 40 })
const measured: Report = {
  ...passingReport,
  limiterCosts: [
    {
      plan: 'free',
      admitted: of(240, 15.5),
      refused: of(120, 5.4),
      share: 0.348,
      withheld: false,
      rounds: [{ round: 1, admitted: of(240, 15.5), refused: of(120, 5.4), stoodStillMs: 310 }],
    },
  ],
}
const renderers = [
  ['terminal', (report: Report) => renderTerminal(report, { colour: false, width: 200, reportPath: null })],
  ['HTML', renderHtml],
  ['Markdown', renderMarkdown],
] as const

test.each(renderers)('%s says what a refusal costs where a load measured it, and nothing elsewhere', (_, render) => {
  expect(render(measured)).toContain('a refusal costs 0.35 of an answer')
  expect(render(measured)).toContain('for 310 ms in round 1')
  expect(render(passingReport)).not.toContain('limiter costs')
})
