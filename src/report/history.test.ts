import { describe, expect, it } from 'vitest'
import { renderHistory, storiesOf, trendsOf } from './history.js'
import type { Report } from './model.js'
import { attackReport } from './testing/attack-report.js'
import { failingReport } from './testing/failing-report.js'
import { passingReport } from './testing/passing-report.js'

const on = (
  day: string,
  report: Report,
  change: Partial<Report['run']> = {},
): { report: Report; href: string | null } => ({
  report: { ...report, run: { ...report.run, id: `run-${day}`, startedAt: `2026-11-${day}T10:00:00.000Z`, ...change } },
  href: `${day}/report.html`,
})

describe('a history', () => {
  it('tells runs by scenario and target, the oldest first, the newest story first', () => {
    const stories = storiesOf([
      on('03', passingReport),
      on('01', failingReport),
      on('02', passingReport, { scenario: 'smoke' }),
      on('04', { ...passingReport, target: { baseUrl: 'https://staging.example.com/v1' } }),
    ])
    expect(stories.map(({ scenario, target, runs }) => [scenario, target, runs.map(({ id }) => id)])).toEqual([
      ['release-gate', 'https://staging.example.com/v1', ['run-04']],
      ['release-gate', 'http://127.0.0.1:8080/v1', ['run-01', 'run-03']],
      ['smoke', 'http://127.0.0.1:8080/v1', ['run-02']],
    ])
  })

  it('keeps runs at different time scales apart, and tells a run that lies in two folders once', () => {
    const stories = storiesOf([
      on('01', passingReport),
      on('01', passingReport),
      on('02', passingReport, { timeScale: 1 }),
    ])
    expect(stories.map(({ runs }) => runs.length)).toEqual([1, 1])
  })

  it('follows each figure of each plan over the runs that measured it', () => {
    const [story] = storiesOf([
      on('01', passingReport),
      on('02', failingReport),
      on('03', { ...passingReport, quotas: [] }),
    ])
    const trend = story && trendsOf(story).find(({ figure, plan }) => figure === 'overAdmitted' && plan === 'pro')
    expect(trend?.values).toEqual([0, 5, null])
  })

  it('links each run, and says what was left out', () => {
    const page = renderHistory(
      storiesOf([on('01', passingReport), on('02', failingReport)]),
      ['03: no report'],
      '0.1.0',
    )
    expect(page).toContain('<a href="02/report.html">2026-11-02 10:00')
    expect(page).toContain('<li>03: no report</li>')
    expect(page).not.toContain('NaN')
  })

  it('says so where there is no run', () => {
    expect(renderHistory([], [], '0.1.0')).toContain('This folder has no runs yet.')
  })

  it('lets neither a target nor a folder write markup', () => {
    const page = renderHistory(
      storiesOf([{ report: attackReport, href: 'a"><script>x/report.html' }]),
      ['<img src=x>'],
      '0.1.0',
    )
    expect(page).not.toMatch(/<(script|img)/i)
    expect(page).not.toMatch(/href="(?!#|[\w%.-]+\/report\.html")/)
  })
})
