import { describe, expect, it } from 'vitest'
import type { CheckRow, Report, WitnessRow } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { healthyExchange } from '../testing/passing-report.js'
import { proofBlock } from './markdown.js'

const [any] = failingReport.checks
const found = (change: Partial<CheckRow>): CheckRow => ({
  ...(any as CheckRow),
  verdict: 'fail',
  code: 'spelling-opens-quota',
  clauses: ['QUOTA-6'],
  witnesses: ['x1', 'x2', 'x3'],
  ...change,
})

const exchange = (
  id: string,
  status: number,
  headers: [string, string][],
  url = 'http://host/v1/inventory',
): WitnessRow => ({
  ...healthyExchange,
  id,
  sentAt: 1_000,
  request: { ...healthyExchange.request, url },
  response: { status, reason: '', headers, body: '', bodyBytes: 0 },
})

const block = (exchanges: WitnessRow[], change: Partial<CheckRow> = {}): string[] => {
  const report: Report = { ...failingReport, exchanges }
  return proofBlock(report, found(change))
}

const spent: [string, string][] = [
  ['Date', 'Sun, 22 Nov 2026 22:11:15 GMT'],
  ['X-RateLimit-Remaining', '0'],
  ['Retry-After', '4'],
]

describe('the proof of a failure in Markdown', () => {
  it('is the refusal and what was served after it, with the headers that matter', () => {
    const seen = [exchange('x1', 429, spent), exchange('x2', 200, [['X-RateLimit-Remaining', '59']])]
    expect(block([...seen, exchange('x3', 200, [])])).toEqual([
      '  ```text',
      '  1.000 s  GET /v1/inventory → 429  X-RateLimit-Remaining: 0  Retry-After: 4',
      '  1.000 s  GET /v1/inventory → 200  X-RateLimit-Remaining: 59',
      '  ```',
    ])
  })

  it('shows a header that the check looks at', () => {
    const seen = [exchange('x1', 401, [['WWW-Authenticate', 'Basic']])]
    const lines = block(seen, {
      code: 'no-bearer-challenge',
      headers: ['WWW-Authenticate'],
      message: 'A 401 came without WWW-Authenticate: Bearer.',
    })
    expect(lines[1]).toContain('→ 401  WWW-Authenticate: Basic')
  })

  it('is not left by what a target sends', () => {
    const seen = [exchange('x1', 429, [['Retry-After', '1\n```\n@everyone ````']], 'http://host/v1/`````')]
    const lines = block(seen)
    expect(lines[0]).toBe('  `````text')
    expect(lines.at(-1)).toBe('  `````')
    expect(lines).toHaveLength(3)
  })

  it('is none of what did not fail, or has no exchange', () => {
    expect(block([exchange('x1', 429, spent)], { verdict: 'inconclusive' })).toEqual([])
    expect(block([])).toEqual([])
  })
})
