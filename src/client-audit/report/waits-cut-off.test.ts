import { describe, expect, it } from 'vitest'
import { judgeClient } from '../checks/judge-client.js'
import { type SimulatedCase, simulatedAudit } from '../waits/testing/simulated-audit.js'
import { buildClientReport } from './build-client-report.js'
import { renderClientMarkdown } from './client-formats.js'
import { renderClientHtml } from './render-client-html.js'
import { renderClientTerminal } from './render-client-terminal.js'

describe('a client that cuts every named wait off after what was watched', () => {
  const cases: readonly SimulatedCase[] = [
    { id: 'minute', retryAfter: '61', watchMs: 66_000 },
    { id: 'day', retryAfter: '86400', watchMs: 45_000 },
  ]
  const cutOff = ({ attempt, retryAfter }: { readonly attempt: number; readonly retryAfter: string | undefined }) =>
    attempt < 3 ? Math.min(Number(retryAfter) * 1000, 70_000) + 5 : undefined
  const audit = simulatedAudit(cases, cutOff)
  const report = buildClientReport(audit, judgeClient(audit), '0')

  it('passes CLIENT-1, and every report says what was watched, and what looks for more', () => {
    expect(report.clauses[0]).toMatchObject({
      id: 'CLIENT-1',
      verdict: 'pass',
      reason: expect.stringContaining('of longer ones 45.0 s were watched'),
    })
    for (const text of [
      renderClientTerminal(report, { colour: false, width: 300, reportPath: null }),
      renderClientMarkdown(report).replaceAll('\\', ''),
      renderClientHtml(report),
    ]) {
      expect(text).toContain('it was still waiting then: a client that cuts them off later would look the same.')
      expect(text).toContain('--watch 310 looks for a cap of 5 minutes.')
    }
  })

  it('is drawn to the end of the watch, which is marked', () => {
    const page = renderClientHtml(report)
    // Of the minute too: its second wait is cut off.
    expect(page.match(/class="watch-end"/g)).toHaveLength(2)
    expect(page).toContain('Watched for 45.0 s, to the upright line: the wait lasts longer.')
  })

  it.each([
    ['that waits', cutOff, 'it stayed away for the 45.0 s that quotaspec watched, as told'],
    ['that gives up', () => undefined, 'it gave up on such a long wait, which is allowed'],
  ])('is not tested by a day alone, where one %s may do so', (_name, policy, reason) => {
    const alone = simulatedAudit(cases.slice(1), policy)
    const partial = { ...alone, head: { ...alone.head, cases: { played: 1, of: 27 } } }
    const { clauses, grade, headline, outcome } = buildClientReport(partial, judgeClient(partial), '0')
    expect(clauses.find(({ id }) => id === 'CLIENT-2')).toMatchObject({ verdict: 'not-tested', reason })
    expect({ outcome, letter: grade.letter, headline }).toEqual({
      outcome: 'inconclusive',
      letter: null,
      headline: 'Only 1 of 27 cases played: no grade; what they show: nothing against it',
    })
  })
})
