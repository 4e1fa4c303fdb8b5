import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  renderComparisonHtml,
  renderComparisonMarkdown,
  renderComparisonTerminal,
} from '../../report/comparison-views.js'
import { renderJson } from '../../report/formats/json.js'
import { clientChecks, judgeClient } from '../checks/judge-client.js'
import { decisiveCases, type SimulatedCase, simulatedAudit } from '../waits/testing/simulated-audit.js'
import { buildClientReport } from './build-client-report.js'
import { renderClientJunit, renderClientMarkdown } from './client-formats.js'
import { compareAudits } from './compare-audits.js'
import { gradeHeadline } from './grade-headline.js'
import { type ClientReport, clientReportModel } from './model.js'
import { renderClientHtml } from './render-client-html.js'
import { renderClientTerminal } from './render-client-terminal.js'
import {
  goodClient,
  hammeringClient,
  hostileClient,
  onceClient,
  unjitteredClient,
} from './testing/sample-client-reports.js'

const reports = [
  ['good', 'B', goodClient],
  ['unjittered', 'C', unjitteredClient],
  ['hammering', 'F', hammeringClient],
  ['once', 'none', onceClient],
] as const

const plain = { colour: false, width: 80, reportPath: 'reports/client/report.html' }

describe.each(reports)('the report of the %s client', (name, letter, report) => {
  it(`has the grade ${letter}, and is a report`, () => {
    expect(report.grade.letter).toBe(letter)
    expect(clientReportModel.parse(JSON.parse(renderJson(report)))).toEqual(JSON.parse(renderJson(report)))
  })

  it('reads on a terminal as it always has', async () => {
    await expect(renderClientTerminal(report, plain)).toMatchFileSnapshot(`testing/golden/${name}.terminal.txt`)
  })

  it('reads in Markdown as it always has', async () => {
    await expect(renderClientMarkdown(report)).toMatchFileSnapshot(`testing/golden/${name}.markdown.txt`)
  })

  it('reads in JUnit XML as it always has', async () => {
    await expect(renderClientJunit(report)).toMatchFileSnapshot(`testing/golden/${name}.junit.xml`)
  })
})

it.each([...reports.map(([name, , report]) => [name, report] as const), ['hostile', hostileClient] as const])(
  'the page of the %s client allows its own style and nothing else, and refers to nothing',
  (_, report) => {
    const page = renderClientHtml(report)
    const style = page.slice(page.indexOf('<style>') + 7, page.indexOf('</style>'))
    expect(page).toContain(createHash('sha256').update(style).digest('base64'))
    const body = page.slice(page.indexOf('<body>'))
    expect(body).not.toMatch(/<(script|iframe|img|object|embed|link|base|form)/i)
    expect([...body.matchAll(/<[^>]*\s(?:src|href|action)="([^"#][^"]*)"/g)]).toEqual([])
    expect(body.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]+\s(?:style|on\w+)=/)
    expect(body.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  },
)

it('nothing of a hostile client acts on a terminal, or on who reads JUnit XML', () => {
  const text = renderClientTerminal(hostileClient, plain)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  const xml = renderClientJunit(hostileClient)
  expect(xml).not.toMatch(/<script|<img/)
  expect(xml.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})

it('the page tells the grade, each reason with its advice, and links to the case that shows it', () => {
  const page = renderClientHtml(unjitteredClient)
  expect(page).toContain('<div class="grade warning ">C</div>')
  expect(page).toContain(
    'Multiply each wait of your own by a random factor, such as one between 1 and 1.5: from play to play',
  )
  for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${anchor}"`)
})

it('a check that crashes is a fault of the harness: it is told, it leaves the grade open, and spoils no other check', () => {
  const audit = simulatedAudit(decisiveCases, () => 700)
  const oops = (): never => {
    throw new TypeError('oops')
  }
  const checks = clientChecks.map((each) => (each.id === 'client.waits-as-told' ? { ...each, judge: oops } : each))
  const [whole, report] = [clientChecks, checks].map((each) => buildClientReport(audit, judgeClient(audit, each), '0'))
  const [crashed, ...others] = report.checks
  expect(crashed).toMatchObject({ verdict: 'inconclusive', code: 'check-crashed' })
  expect(crashed.message).toMatch(/^the check itself failed, which is a defect of quotaspec: TypeError: oops/)
  expect(others).toEqual(whole.checks.slice(1))
  expect(report.clauses[0]).toMatchObject({ id: 'CLIENT-1', verdict: 'inconclusive', reason: crashed.message })
  expect(report.run.exitCode).toBe(4)
  expect(report.grade.reasons).toContainEqual(
    expect.objectContaining({ atBest: 'F', state: 'open', sentence: crashed.message }),
  )
})

it('the headline names what has made the grade, not an open question that might', () => {
  const reasons = [
    { atBest: 'F', state: 'open', sentence: 'who knows' },
    { atBest: 'F', state: 'stands', sentence: 'it hammers' },
    { atBest: 'B', state: 'stands', sentence: 'it runs into the limit' },
  ] as const
  expect(gradeHeadline({ letter: 'F', best: 'F', worst: 'F', reasons })).toBe('Grade F: it hammers')
  expect(gradeHeadline({ letter: null, best: 'B', worst: 'F', reasons })).toBe(
    'No grade: somewhere from F to B; one point is open: who knows',
  )
})

describe('the headline of a grade that is open', () => {
  const because = (stalledMs: number | null, shown: string | null = 'quota-20-workers') =>
    ({
      atBest: 'F',
      state: 'open',
      sentence: 'who knows',
      case: shown,
      stalledMs,
    }) as const
  it.each<[string, Parameters<typeof gradeHeadline>[0]['reasons'], Parameters<typeof gradeHeadline>[1], string]>([
    [
      'names the machine that stalled, and where',
      [because(109)],
      null,
      'Most likely B, at worst F: one point is open because this machine stalled for 109 ms in quota-20-workers',
    ],
    [
      'names no time where the controls saw none',
      [because(2, null), because(400)],
      null,
      'Most likely B, at worst F: 2 points are open because this machine stalled',
    ],
    [
      'promises nothing where anything else is open too',
      [because(109), because(null)],
      null,
      'No grade: somewhere from F to B; 2 points are open: who knows',
    ],
    [
      'says how few cases were played, and what they show',
      [because(109)],
      { played: 2, of: 27 },
      'Only 2 of 27 cases played: no grade; what they show: nothing against it',
    ],
    [
      'says of few cases what stands',
      [because(109), { atBest: 'D', state: 'stands', sentence: 'it misses a date' }],
      { played: 2, of: 27 },
      'Only 2 of 27 cases played: no grade; what they show: it misses a date',
    ],
    [
      'is silent of what was left out as it was asked to be',
      [{ ...because(null), state: 'stands', leftOut: true }],
      { played: 2, of: 27 },
      'Only 2 of 27 cases played: no grade; what they show: nothing against it',
    ],
  ])('%s', (_name, reasons, cases, expected) => {
    expect(gradeHeadline({ letter: null, best: 'B', worst: 'F', reasons }, cases)).toBe(expected)
  })
})

describe('what is said before the grade', () => {
  const notesOf = (cases: readonly SimulatedCase[], played: { played: number; of: number } | null = null) => {
    const whole = simulatedAudit(cases, ({ attempt }) => (attempt < 5 ? 700 * 2 ** attempt * 1.1 : undefined))
    const audit = { ...whole, head: { ...whole.head, cases: played } }
    return buildClientReport(audit, judgeClient(audit), '0').notes.join('\n')
  }

  it.each<[string, readonly SimulatedCase[], RegExp | null]>([
    [
      'is that a command asked for one request makes several at once',
      [{ id: 'crowd', workers: 3 }],
      /make several \(crowd\).*what follows is probably about the script/,
    ],
    ['is nothing of the sort where it tries one again', [{ id: 'absent' }, { id: 'served', servesFrom: 2 }], null],
  ])('%s', (_name, cases, expected) => {
    if (expected) expect(notesOf(cases)).toMatch(expected)
    else expect(notesOf(cases)).toBe('')
  })

  it('is that many workers were not seen, and how few cases were played', () => {
    expect(goodClient.notes).toEqual([
      'The B is for one request at a time; the audit did not see several workers at once.',
      'The longest wait that was watched to its end took 1 min 1 s: a client that cuts longer waits off would look the same.',
    ])
    expect(notesOf([{ id: 'hot', retryAfter: '9' }], { played: 1, of: 27 })).toBe('Only 1 of 27 cases were played.')
  })
})

it('what one advice mends is told together, with the advice once', () => {
  const text = renderClientTerminal(hammeringClient, { ...plain, width: 200 })
  expect(text.match(/→ Back off if the refusal names no wait/g)).toHaveLength(1)
})

it('cases that were left out as it was asked for are no reasons; without that they are', () => {
  const whole = simulatedAudit([{ id: 'seconds', retryAfter: '2' }], ({ attempt }) => (attempt < 4 ? 2_010 : undefined))
  const told = (cases: { played: number; of: number } | null) => {
    const audit = { ...whole, head: { ...whole.head, cases } }
    return renderClientMarkdown(buildClientReport(audit, judgeClient(audit), '0')).match(/did not play/g)?.length ?? 0
  }
  expect(told({ played: 1, of: 27 })).toBeLessThan(told(null) - 3)
})

it('a client that never shows its key is told how many requests came without it, and where the key goes', () => {
  const whole = simulatedAudit([{ id: 'seconds', retryAfter: '2' }], () => undefined)
  const arrivals = whole.arrivals.map((each) => ({ ...each, credential: 'none' as const, status: 401 }))
  const audit = { ...whole, arrivals }
  const report = buildClientReport(audit, judgeClient(audit), '0')
  const text = renderClientTerminal(report, { ...plain, width: 200 })
  expect(report.run.exitCode).toBe(2)
  expect(text).toContain('seconds#1: 1 request without the Bearer key, answered 401')
  expect(text).toContain('Authorization: Bearer <API_KEY>')
  expect(text).not.toMatch(/sent nothing|plays {2}sent/)
  expect(renderClientHtml(report)).toContain('0 and 1 without the Bearer key (401)')
})

it('Markdown from a hostile client neither links, mentions nor breaks its table', () => {
  // Nothing in a code span is a mention or a link.
  const markdown = renderClientMarkdown(hostileClient).replace(/(`{5})[^\n]*?\1/g, '')
  expect(markdown).not.toMatch(/@everyone|https:\/\/evil|<script|\n## heading/)
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
  expect(new Set(rows.map((row) => row.split(/(?<!\\)\|/).length))).toEqual(new Set([6]))
})

describe('what the machine left open', () => {
  /** A client of which one request came 130 ms after a refusal, on another connection, while the machine stalled. */
  const stalled = (command: string) => {
    const whole = simulatedAudit([{ id: 'hot', retryAfter: '2' }, { id: 'absent' }], ({ attempt }) =>
      attempt < 2 ? 2_010 : undefined,
    )
    const second = whole.arrivals.find(({ id }) => id === 'hot#1.2')
    const arrivals = whole.arrivals.map((each) =>
      each === second
        ? {
            ...each,
            at: each.at - 1_880,
            connection: 2,
            acceptedAt: each.at - 1_990,
            openedAfter: each.at - 2_005,
            starved: null,
          }
        : each,
    )
    const beats = [{ type: 'beat' as const, at: (second?.at ?? 0) - 1_800, lateMs: 300 }]
    const audit = { ...whole, head: { ...whole.head, command }, arrivals, beats }
    return buildClientReport(audit, judgeClient(audit), '0')
  }

  it('has its mend, says when the connection was opened, and names the cases to play again', () => {
    const report = stalled('quotaspec client --cases own.yaml --case hot --case absent -- node a.mjs -- --case b')
    const [first] = report.grade.reasons.filter(({ stalledMs }) => stalledMs !== null)
    expect(first.sentence).toContain('on a connection opened 20 ms after it, while the machine stalled')
    expect(first.advice).toMatch(/^If it stands: pause the key/)
    expect(first.stalledMs).toBe(300)
    expect(report.retry).toEqual({
      command: 'quotaspec client --case hot --cases own.yaml -- node a.mjs -- --case b',
      tookMs: 4_032,
    })
    for (const text of [renderClientTerminal(report, plain), renderClientMarkdown(report), renderClientHtml(report)])
      expect(text).toContain('quotaspec client --case hot --cases own.yaml -- node a.mjs -- --case b')
  })

  it('is nothing to play again where nothing is open', () => {
    expect(goodClient.retry).toBeNull()
  })
})

it.each([
  ['an F', hammeringClient, true],
  ['a C', unjitteredClient, false],
  ['nothing to grade', onceClient, false],
] as const)('the way out by retrying(fetch) stands under %s: %s', (_name, report, expected) => {
  const shown = [
    renderClientTerminal(report, { ...plain, width: 200 }),
    renderClientHtml(report),
    renderClientMarkdown(report),
  ]
  expect(shown.map((text) => text.includes('retrying(fetch)'))).toEqual(Array(3).fill(expected))
})

it('the table behind a figure begins shortly before what a finding names, or is refused', () => {
  const whole = simulatedAudit([{ id: 'many', retryAfter: '1', watchMs: 200_000 }], ({ attempt }) =>
    attempt < 108 ? 1_005 : undefined,
  )
  const served = { status: 200, retryAfter: null }
  const arrivals = whole.arrivals.map((each, at) => (at < 60 || at > 80 ? { ...each, ...served } : each))
  const audit = { ...whole, arrivals }
  const report = buildClientReport(audit, judgeClient(audit), '0')
  expect(renderClientHtml({ ...report, grade: { ...report.grade, reasons: [] } })).toContain(
    '(arrivals 56 to 95 of 109)',
  )
  const named = report.grade.reasons.map((each) => ({ ...each, witnesses: ['many#1.31'] }))
  expect(renderClientHtml({ ...report, grade: { ...report.grade, reasons: named } })).toContain(
    '(arrivals 26 to 65 of 109)',
  )
})

it('an audit that was stopped as nothing came says so, and nothing of what the client does', () => {
  const whole = simulatedAudit(decisiveCases, () => undefined)
  const plays = whole.plays.map((play, at) => ({ ...play, end: at < 4 ? ('exit' as const) : ('interrupted' as const) }))
  const audit = { ...whole, plays, arrivals: [] }
  const report = buildClientReport(audit, judgeClient(audit), '0')
  expect(report.notes).toEqual(['Stopped after 4 plays, because no request had come.'])
  expect(report.run.exitCode).toBe(2)
  expect(renderClientTerminal(report, plain)).not.toContain('one request at a time')
})

describe('two audits, compared', () => {
  const partOf = (before: ClientReport, now: ClientReport) => {
    const { regressed, verdicts } = compareAudits([before], now)
    return { regressed, changes: verdicts.map(({ id, before, now, kind }) => `${id} ${before} → ${now}: ${kind}`) }
  }

  it.each<[string, ClientReport, ClientReport, boolean, readonly string[]]>([
    ['are no news where they are the same', goodClient, goodClient, false, []],
    [
      'tell a lower grade, and the clause that is now broken',
      goodClient,
      unjitteredClient,
      true,
      ['grade B → C: worse', 'CLIENT-3 pass → fail: worse'],
    ],
    [
      'tell a better grade',
      unjitteredClient,
      goodClient,
      false,
      ['grade C → B: better', 'CLIENT-3 fail → pass: better'],
    ],
    [
      'take a client that no longer tries again for a regression, for nothing else is left to see',
      goodClient,
      onceClient,
      true,
      [
        'grade B → none: worse',
        ...['CLIENT-1', 'CLIENT-2', 'CLIENT-3', 'CLIENT-4'].map((id) => `${id} pass → inconclusive: other`),
      ],
    ],
    [
      'do not take a grade that was left open for a lower one',
      goodClient,
      { ...goodClient, grade: { ...goodClient.grade, letter: null, best: 'A', worst: 'C' } },
      false,
      ['grade B → C to A: other'],
    ],
    [
      'take one for lower where the best of it is',
      goodClient,
      { ...goodClient, grade: { ...goodClient.grade, letter: null, best: 'C', worst: 'D' } },
      true,
      ['grade B → D to C: worse'],
    ],
  ])('%s', (_, before, now, regressed, changes) => {
    expect(partOf(before, now)).toEqual({ regressed, changes })
  })

  it('read like those of a target', () => {
    const comparison = compareAudits([goodClient], unjitteredClient)
    expect(renderComparisonMarkdown(comparison)).toContain('2 regressions: grade, CLIENT-3.')
    expect(renderComparisonTerminal(comparison, { colour: false, width: 100 })).toContain('✗ grade  B → C')
    expect(renderComparisonMarkdown(comparison)).toContain('simulated: compared with 1 baseline, verdicts')
    expect(renderComparisonHtml(compareAudits([goodClient], hostileClient), '0')).not.toMatch(/<(script|img|iframe)/i)
  })
})
