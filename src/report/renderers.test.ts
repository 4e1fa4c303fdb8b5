import { describe, expect, it } from 'vitest'
import { renderJson } from './formats/json.js'
import { renderJunit } from './formats/junit.js'
import { renderMarkdown } from './formats/markdown.js'
import { renderTerminal } from './formats/terminal.js'
import { opening } from './html/opening.js'
import { renderHtml } from './html/page.js'
import { reportModel } from './model.js'
import { attackReport, withLongBody } from './testing/attack-report.js'
import { failingReport } from './testing/failing-report.js'
import { inconclusiveReport } from './testing/inconclusive-report.js'
import { passingReport } from './testing/passing-report.js'
import { waivedReport } from './testing/waived-report.js'

const reports = [
  ['passing', passingReport],
  ['failing', failingReport],
  ['inconclusive', inconclusiveReport],
  ['waived', waivedReport],
] as const

const plain = { colour: false, width: 80, reportPath: 'reports/latest/report.html' }

describe.each(reports)('the %s report', (name, report) => {
  it('is a report', () => {
    expect(reportModel.parse(report)).toEqual(report)
  })

  it('reads on a terminal as it always has', async () => {
    await expect(renderTerminal(report, plain)).toMatchFileSnapshot(`testing/golden/${name}.terminal.txt`)
  })

  it('reads in Markdown as it always has', async () => {
    await expect(renderMarkdown(report)).toMatchFileSnapshot(`testing/golden/${name}.markdown.txt`)
  })

  it('reads in JUnit XML as it always has', async () => {
    await expect(renderJunit(report)).toMatchFileSnapshot(`testing/golden/${name}.junit.xml`)
  })

  it('comes back from JSON as the same report', () => {
    expect(reportModel.parse(JSON.parse(renderJson(report)))).toEqual(report)
  })
})

it('gives JSON as it always has', async () => {
  const envelopes = failingReport.envelopes.map((row) => ({ ...row, points: row.points.slice(-2) }))
  await expect(renderJson({ ...failingReport, timelines: [], envelopes })).toMatchFileSnapshot(
    'testing/golden/failing.json.txt',
  )
})

it('names pets that somebody else left changed', () => {
  const report = { ...passingReport, changedElsewhere: [{ petId: '7', before: '5', after: '0' }] }
  for (const shown of [renderTerminal(report, plain), opening(report).markup])
    expect(shown).toContain('Changed by the target or by somebody else: pet 7 from 5 to 0.')
})

it('says of pets that nobody could look at that they could not be looked at', () => {
  const unrestored = [{ petId: '7', quantity: '5', curl: 'curl -X PATCH 7', look: 'curl the list' }]
  const report = { ...passingReport, restored: false, unrestored }
  const terminal = renderTerminal(report, plain)
  expect(terminal).toMatch(
    /The inventory could not be checked: 1 pet .*\n +look +curl the list\n +restore +curl -X PATCH 7/,
  )
  expect(renderMarkdown(report)).toContain('**inventory could not be checked** (1 pet)')
  expect(opening(report).markup).toContain('could not be checked')
  for (const text of [terminal, renderMarkdown(report), opening(report).markup])
    expect(text).not.toMatch(/not as it was|not restored/i)
})

describe('the terminal', () => {
  it('says what was expected beside what was seen, where the clause does not say it all', () => {
    const promise = 'On every plan some limiter explains what was admitted.'
    const checks = failingReport.checks.map((check) =>
      check.code === 'no-limiter-explains' ? { ...check, promise } : check,
    )
    const report = { ...failingReport, checks }
    expect(renderTerminal(report, plain)).toContain(`    expected ${promise}\n    seen     pro admitted 380`)
    expect(renderMarkdown(report)).toContain(`  - Expected: ${promise}\n  - Seen: pro admitted 380`)
    expect(renderTerminal(failingReport, plain)).not.toContain('expected')
  })

  it('names no limiter where every permitted one explains what was seen', () => {
    const models = { 'fixed-window': 'explained', gcra: 'explained' } as const
    const quotas = passingReport.quotas.map((quota) => ({ ...quota, models }))
    expect(renderTerminal({ ...passingReport, quotas }, plain)).toMatch(/free minute .* any permitted limiter$/m)
  })

  it('fits 24 lines of 80 characters when all is well', () => {
    const lines = renderTerminal(passingReport, plain).split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('names each failure with clause, sentence, what was seen and the command that repeats it', () => {
    const text = renderTerminal(failingReport, { ...plain, width: 400 })
    for (const clause of ['QUOTA-1', 'THROTTLE-4']) {
      const check = failingReport.checks.find((each) => each.clauses.includes(clause))
      expect(text).toContain(`${clause}  ${check?.promise}`)
      expect(text).toContain(check?.message)
      expect(text).toContain(check?.command)
    }
  })

  it('tells a warning apart from a failure, unless the run is strict', () => {
    const strict = { ...failingReport, run: { ...failingReport.run, strict: true } }
    expect(renderTerminal(failingReport, plain)).toContain('1 warning')
    expect(renderTerminal(strict, plain)).not.toContain('warning')
    expect(renderTerminal(strict, plain)).toContain('✗ AUTH-8')
  })

  it('says the same in colour', () => {
    const coloured = renderTerminal(failingReport, { ...plain, colour: true })
    expect(coloured).toContain('\u001b[31m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colour
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(renderTerminal(failingReport, plain))
  })

  it('lets no sequence of the target through', () => {
    expect(renderTerminal(attackReport, plain).replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u,
    )
  })
})

describe('Markdown', () => {
  it('lets the target write no markup, link, mention, reference or line', () => {
    const outside = renderMarkdown(attackReport).replace(/(`+)[\s\S]*?\1/g, '')
    expect(outside.replaceAll('<!-- -->', '')).not.toContain('<')
    expect(outside).not.toMatch(/(?<!\\)\]\(|@\w|#\d|:\/\/\w/)
    expect(outside.match(/^## /gm)).toHaveLength(1)
  })
})

describe('JUnit XML', () => {
  it('counts no error where another check has proven what one could not: the run passed', () => {
    const [first, ...others] = passingReport.checks
    const report = { ...passingReport, checks: [{ ...first, verdict: 'inconclusive' as const }, ...others] }
    expect(renderJunit(report)).toMatch(/<testsuites [^>]* failures="0" errors="0"/)
    expect(renderJunit(report)).toContain(`<skipped type="${first.code}" message="Other checks settle`)
  })

  it('counts what the run counts: failures of must, errors where undecided, warnings passed', () => {
    const all = failingReport.checks.length + failingReport.gates.length
    expect(renderJunit(failingReport)).toContain(`tests="${all}" failures="3" errors="0"`)
    expect(renderJunit(inconclusiveReport)).toMatch(/<testsuites [^>]* failures="0" errors="2"/)
    expect(renderJunit(passingReport)).toMatch(/<testsuites [^>]* failures="0" errors="0"/)
  })

  it('holds no character that XML 1.0 forbids, and no markup of the target', () => {
    const xml = renderJunit(attackReport)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|<(script|img|svg)|]]>/)
  })
})

it('clips a body of 10 MB everywhere but in JSON', () => {
  const report = withLongBody(failingReport, 9_999_999)
  expect(renderTerminal(report, plain).length).toBeLessThan(20_000)
  expect(renderMarkdown(report).length).toBeLessThan(20_000)
})

it('names the quotas of a contract file by their credentials, for it has no plans', () => {
  const report = { ...passingReport, target: { ...passingReport.target, contract: 'acme' } }
  expect(renderTerminal(report, plain)).toMatch(/^ +credential +limit/m)
  expect(renderMarkdown(report)).toContain('### Credentials')
  expect(renderHtml(report)).toContain('Credentials at a glance')
  expect(renderTerminal(passingReport, plain)).toMatch(/^ +plan +limit/m)
})
