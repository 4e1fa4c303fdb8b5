import { describe, expect, it } from 'vitest'
import { attackReport } from '../testing/attack-report.js'
import { failingReport } from '../testing/failing-report.js'
import { inconclusiveReport } from '../testing/inconclusive-report.js'
import { passingReport } from '../testing/passing-report.js'
import { waivedReport } from '../testing/waived-report.js'
import { renderAnnotations } from './annotations.js'

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

describe('annotations', () => {
  it('name each failure and each failed gate as an error, each warning as a warning', () => {
    expect(lines(renderAnnotations(failingReport)).map((line) => line.replace(/::(?=[A-Zp]).*/, ''))).toEqual([
      '::error title=QUOTA-1 No plan admits more than its limit per minute%2C however many connections ask at once.',
      expect.stringContaining('::error title=THROTTLE-4 Retry-After is honest%3A'),
      '::error title=Gate overAdmitted',
      '::warning title=AUTH-8 A 401 carries WWW-Authenticate with a Bearer challenge.',
    ])
    expect(renderAnnotations(failingReport)).toMatch(/::pro admitted 380 .*\w\. Repeat: quotaspec run /)
  })

  it('are none where all is well, nor of what is waived', () => {
    expect(renderAnnotations(passingReport)).toBe('')
    expect(renderAnnotations(waivedReport)).not.toContain('::error title=QUOTA-1')
  })

  it('name waivers that fail the run', () => {
    expect(renderAnnotations(waivedReport)).toContain(
      '::error title=Waiver of RATE-5::RATE-5 passes now: remove its waiver (waivers.yaml:12).',
    )
  })

  it('say what is open, and the headline where no failure explains the outcome', () => {
    expect(lines(renderAnnotations(inconclusiveReport)).slice(0, 2)).toEqual([
      `::error title=quotaspec::${inconclusiveReport.headline}`,
      expect.stringMatching(/^::warning title=QUOTA-1 could not be checked::/),
    ])
    const unreached = { ...passingReport, outcome: 'inconclusive' as const, headline: 'Nothing answered.' }
    expect(renderAnnotations(unreached)).toBe('::error title=quotaspec::Nothing answered.\n')
  })

  it('are at most ten of a kind, the last of which says how many more', () => {
    const checks = failingReport.checks.map((check) => ({ ...check, verdict: 'fail' as const }))
    const errors = lines(renderAnnotations({ ...failingReport, checks })).filter((line) => line.startsWith('::error'))
    expect(errors).toHaveLength(10)
    expect(errors.at(-1)).toMatch(/::and \d+ more: see the report$/)
  })

  it('let the target give no command and end no line', () => {
    for (const line of lines(renderAnnotations(attackReport))) expect(line).toMatch(/^::(error|warning) title=[^:,]*::/)
  })
})
