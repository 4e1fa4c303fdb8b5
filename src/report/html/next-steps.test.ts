import { describe, expect, it } from 'vitest'
import type { CheckRow, Report } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { healthyExchange } from '../testing/passing-report.js'
import { burstLine, nextSteps, shortSteps, spellingLines, waitLines } from './next-steps.js'

const curl = `curl -sS -i 'http://127.0.0.1:8080/v1/inventory' -H 'Authorization: Bearer '"$QUOTASPEC_KEY_FREE"`

const storySteps = (clause: string, report: Report, change: Partial<CheckRow> = {}, command: string | null = curl) => {
  const check = report.checks.find((each) => each.clauses[0] === clause)
  if (!check) throw new Error(`no check of ${clause}`)
  const response = healthyExchange.response && {
    ...healthyExchange.response,
    headers: [...healthyExchange.response.headers, ['Retry-After', '2'] as [string, string]],
  }
  return nextSteps(report, { ...check, ...change }, [{ ...healthyExchange, response, curl: command }]).markup.replace(
    /<span class="id">([^<]*)<\/span>/g,
    '$1',
  )
}

const small: Report = { ...failingReport, quotas: failingReport.quotas.map((quota) => ({ ...quota, limit: 60 })) }

it('what to do next is called the same in short', () => {
  const [check] = small.checks.filter(({ clauses }) => clauses[0] === 'THROTTLE-4') as [CheckRow]
  const { markup } = shortSteps(check)
  expect(markup).toMatch(/^<h4>What to do next<\/h4><ol class="steps"><li><p>Check how Retry-After is computed/)
  expect(markup).toContain('Fix it, then run only this check:')
  expect(shortSteps({ ...check, advice: null }).markup).toMatch(/<ol class="steps"><li><p>Fix it/)
})

describe('what to do next', () => {
  it('spends the key before it asks in the other spelling', () => {
    const spelt = { ...healthyExchange, curl: `curl -sS -i 'http://host/v1/inventory?page=1'` }
    const lines = spellingLines({ ...healthyExchange, curl }, spelt, { limit: 60 })
    expect(lines).toMatch(/^\(for i in \$\(seq 65\).*uniq -c; echo .*; for i in 1 2 3; do curl .*page=1'; done$/)
    expect(spellingLines({ ...healthyExchange, curl }, spelt, { limit: 301 })).toBeUndefined()
    expect(spellingLines({ ...healthyExchange, curl }, { ...spelt, curl: null }, { limit: 60 })).toBeUndefined()
  })

  it('offers it only where the proof begins with a refusal', () => {
    const check = small.checks.find((each) => each.clauses[0] === 'THROTTLE-4') as CheckRow
    const found = { ...check, code: 'spelling-opens-quota', facts: { plan: 'free' } }
    const of = (status: number, method: string) => {
      const response = { status, reason: '', headers: [], body: '', bodyBytes: 0 }
      const spelt = { ...healthyExchange, request: { ...healthyExchange.request, method }, curl }
      return nextSteps(small, found, [{ ...healthyExchange, response, curl }, spelt]).markup
    }
    expect(of(429, 'GET')).toContain('Three times 200 after the 429s is the breach')
    expect(of(429, 'GET')).not.toContain('put it back')
    expect(of(429, 'PATCH')).toContain('put it back afterwards')
    expect(of(200, 'GET')).not.toContain('See it yourself')
  })

  it('sends a few more than the limit at once, and counts the answers', () => {
    expect(burstLine(curl, { limit: 60 })).toBe(
      `(for i in $(seq 65); do curl -sS -o /dev/null -w '%{http_code}\\n' 'http://127.0.0.1:8080/v1/inventory' -H 'Authorization: Bearer '"$QUOTASPEC_KEY_FREE" & done; wait) | sort | uniq -c`,
    )
  })

  it.each<[string, string, string, number]>([
    ['where that is too much for a shell', curl, '2', 301],
    ['where the request is no plain curl', 'curl -I x', '2', 60],
    ['where the wait is a date', curl, 'Fri, 01 Jan 2027 00:00:00 GMT', 60],
    ['where the wait could act on a shell', curl, '2; ls', 60],
  ])('waits for nothing %s', (_, command, wait, limit) => {
    const response = {
      status: 429,
      reason: '',
      headers: [['Retry-After', wait] as [string, string]],
      body: '',
      bodyBytes: 0,
    }
    expect(waitLines({ ...healthyExchange, response, curl: command }, { limit, windowMs: 6_000 })).toBeUndefined()
  })

  it('offers no burst where something else than the burst showed the breach: a window that ends early admits none too many', () => {
    const shown = { kind: 'over-admission', fromMs: 0, toMs: 1, admitted: 61, refused: 0, answers: [] } as const
    const by = (isBurst: boolean): Report => ({
      ...small,
      quotas: small.quotas.map((quota) => ({ ...quota, breach: { ...shown, answers: [], isBurst } })),
    })
    expect(storySteps('QUOTA-1', by(true))).toContain('seq 65')
    expect(storySteps('QUOTA-1', by(false))).not.toContain('seq 65')
  })

  it('does not wait for what is longer than two windows: the day of a key that earlier runs have spent', () => {
    const headers: [string, string][] = [['Retry-After', '2']]
    const response = { status: 429, reason: '', headers, body: '', bodyBytes: 0 }
    const lines = waitLines({ ...healthyExchange, response, curl }, { limit: 60, windowMs: 6_000 })
    expect(lines).toMatch(
      /if \[ "\$\{wait:-0\}" -gt 12 \]; then echo "told to wait .*"; else .*sleep "\$wait"; .*; fi$/,
    )
  })

  it.each([
    ['where that is too much for a shell', curl, 301],
    ['where the request is no plain curl', 'curl -I x', 60],
  ])('sends no burst %s', (_, command, limit) => {
    expect(burstLine(command, { limit })).toBeUndefined()
  })

  it.each<[string, string, RegExp]>([
    [
      'offers the burst for a quota that admits too much',
      storySteps('QUOTA-1', small),
      /More than 60 in front of 200.*seq 65/s,
    ],
    [
      'offers the one request where it shows the breach alone',
      storySteps('AUTH-8', small),
      /Send the request yourself.*curl -sS -i/s,
    ],
    [
      'offers all that a wait takes: the quota spent, the wait, and the request after it',
      storySteps('THROTTLE-4', small),
      /spends the quota.*seq 65.*sleep.*waiting|spends the quota.*seq 65.*waiting.*sleep/s,
    ],
    [
      'begins with where to look first',
      storySteps('THROTTLE-4', small),
      /^<h4>[^<]*<\/h4><p class="quiet">The commands call [^<]*<\/p><ol class="steps">\s*<li><p>Check how Retry-After is computed/,
    ],
    [
      'offers no request where none is known',
      storySteps('THROTTLE-4', small, { advice: null }, null),
      /^<h4>[^<]*<\/h4><p class="quiet">[^<]*<\/p><ol class="steps">\s*<li><p>Fix it, then run only/,
    ],
    [
      'names the rule with its source',
      storySteps('THROTTLE-4', small),
      /Read the rule THROTTLE-4 \(§8.3\): <a href="#THROTTLE-4">Retry-After is honest/,
    ],
  ])('%s', (_, markup, told) => {
    expect(markup).toMatch(told)
  })
})
