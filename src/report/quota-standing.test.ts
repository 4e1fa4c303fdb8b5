import { describe, expect, it } from 'vitest'
import type { Verdict } from '../verdict/verdict.js'
import { renderMarkdown } from './formats/markdown.js'
import { renderOpenMetrics } from './formats/metrics.js'
import { renderTerminal } from './formats/terminal.js'
import { renderHtml } from './html/page.js'
import { settle } from './model/settle.js'
import type { QuotaRow, Report } from './model.js'
import { inAllInWords, spreadInWords, waivedInWords } from './quotas.js'
import { failingReport } from './testing/failing-report.js'
import { passingReport } from './testing/passing-report.js'
import { waivedReport } from './testing/waived-report.js'

const [free] = passingReport.quotas as [QuotaRow, ...QuotaRow[]]
const whole: QuotaRow = { ...free, sent: 178, admitted: 175, refused: 3, history: { ...free.history, sent: 178 } }
const neverRefused: QuotaRow = { ...free, refused: 0, history: { ...free.history, refused: 0 } }

const spared = { sent: 7, admitted: 7, refused: 0 }

/** The story of a key whose requests were sent at these moments. */
const sentAt = (...moments: readonly number[]): Pick<Report, 'timelines'> => ({
  timelines: passingReport.timelines.slice(0, 1).map((each) => ({
    ...each,
    plan: free.plan,
    windowMs: free.windowMs,
    points: moments.map((at) => [at, at + 4, 'admitted', null]),
  })),
})

const withQuota = (quota: QuotaRow): Report => ({ ...passingReport, ...sentAt(400, 31_000), quotas: [quota] })

const gates = { overAdmitted: 0, earlyRefused: 0 }
const context = { gates, waivers: [], plans: ['free'], isPartial: false, rejectedKeys: [] }

/** The report as the model settles it. */
const settled = (report: Report): Report => ({ ...report, ...settle(report, context) })
const settledQuota = (report: Report): QuotaRow => settled(report).quotas[0] as QuotaRow

const shown = (report: Report) => ({
  html: renderHtml(report),
  markdown: renderMarkdown(report),
  terminal: renderTerminal(report, { colour: false, width: 100, reportPath: null }),
})

describe('the verdict on a quota, once settled', () => {
  const verdicts = { '✓': 'pass', '✗': 'fail', '?': 'inconclusive', '-': 'not-tested' } as const
  const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
  const untested = passingReport.clauses.map((each) =>
    /^QUOTA-[12]$/.test(each.id) ? { ...each, verdict: 'not-tested' as const } : each,
  )
  const { breach: _, ...broken } = failingReport.quotas.find(({ verdict }) => verdict === 'fail') as QuotaRow

  it.each<[string, Report, Verdict, string, string]>([
    ['proven', withQuota(free), 'pass', '1', 'pass,pass'],
    ['never refused', withQuota(neverRefused), 'not-tested', '', 'inconclusive,inconclusive'],
    ['not tested', { ...withQuota(free), clauses: untested }, 'not-tested', '', 'inconclusive,inconclusive'],
    ['open', withQuota({ ...free, verdict: 'inconclusive' }), 'inconclusive', '', 'inconclusive,inconclusive'],
    ['broken', { ...failingReport, quotas: [{ ...broken, plan: 'free' }] }, 'fail', '0', 'fail,inconclusive'],
  ])('is the same for every renderer and for the gates, where it is %s', (_, given, verdict, kept, asGates) => {
    const report = settled(given)
    const { html, markdown, terminal } = shown(report)
    expect(report.quotas[0]?.verdict).toBe(verdict)
    expect(found(html, /class="plan-card ([a-z-]+)/)).toBe(verdict)
    expect(found(html, /<details class="plan folded"[\s\S]*?<span class="badge ([a-z-]+)/)).toBe(verdict)
    expect(found(markdown, /^\| free, minute.*\| \S+ ([a-z ]+) \|[^|]*\|$/m).replace(' ', '-')).toBe(verdict)
    expect(verdicts[found(terminal, /^ {2}(\S) free minute/m) as keyof typeof verdicts]).toBe(verdict)
    expect(found(renderOpenMetrics(report), /^quotaspec_quota_kept\{.*\} (\d)/m)).toBe(kept)
    expect(report.gates.map((gate) => gate.verdict).join()).toBe(asGates)
  })
})

describe('counts of a whole run', () => {
  it.each<[string, QuotaRow, readonly number[], string | undefined]>([
    ['are over as many windows as fit in between', whole, [400, 31_000], 'in total, over 6 windows'],
    ['are over two where they go beyond one', whole, [400, 6_401], 'in total, over 2 windows'],
    ['need no word where one window may hold them', whole, [400, 6_400], undefined],
    ['need none where nobody knows when they were sent', whole, [], undefined],
    ['need none where they are those of a burst', free, [400, 31_000], undefined],
    [
      'are within a time where a bucket has no windows',
      { ...whole, bucket: { refill: 1, everyMs: 100 } },
      [400, 31_000],
      'in total, within 30.6 s',
    ],
  ])('%s', (_, quota, moments, words) => {
    expect(inAllInWords(sentAt(...moments), quota)).toBe(words)
  })

  it('are found whatever the order of the points is', () => {
    expect(spreadInWords(sentAt(31_000, 400, 9_000), free)).toBe('over 6 windows')
  })

  it('are told as such wherever they stand beside a limit', () => {
    const { html, markdown, terminal } = shown(withQuota(whole))
    expect(html).toContain('175 admitted of 178 sent in total, over 6 windows, 3 refused')
    expect(html).toContain('The whole run, over 6 windows</th>')
    expect(markdown).toContain('| free, minute (in total, over 6 windows) |')
    expect(terminal).toContain('      175 of 178 admitted in total, over 6 windows\n')
    const burst = shown(withQuota(free))
    expect(burst.html).toContain('60 admitted of 90 sent, 30 refused')
    expect(burst.markdown + burst.terminal).not.toContain('in all')
    expect(burst.html).not.toContain('counted too')
    const used = shown(withQuota({ ...free, admitted: 29, refused: 61 }))
    expect(used.html).toContain('29 admitted of 90 sent, 61 refused; requests before this burst counted too')
  })

  it('are told instead of a burst in which nothing was refused: a tick needs a refusal beside it', () => {
    const { html, markdown, terminal } = shown(
      withQuota({ ...whole, ...spared, history: { sent: 178, admitted: 175, refused: 3, unknown: 0 } }),
    )
    expect(html).toContain('175 admitted of 178 sent in total, over 6 windows, 3 refused')
    expect(markdown).toContain('| free, minute (in total, over 6 windows) | 60 | 178 | 175 | 3 |')
    expect(terminal).toMatch(
      / ✓ free minute +60 +178 +175 +3 .*\n {6}limit 60 .*\n {6}175 of 178 admitted in total, over 6 windows\n/,
    )
  })
})

describe('a plan that was never refused', () => {
  it.each<[string, Partial<QuotaRow>, string]>([
    ['is not shown as proven', {}, 'not-tested'],
    ['keeps its failure', { verdict: 'fail' }, 'fail'],
    ['stays as open as it was', { verdict: 'inconclusive' }, 'inconclusive'],
    ['is proven once something was refused', { history: free.history }, 'pass'],
  ])('%s', (_, change, mark) => {
    expect(settledQuota(withQuota({ ...neverRefused, ...change })).verdict).toBe(mark)
  })

  it('is told as such in every format', () => {
    const { html, markdown, terminal } = shown(settled(withQuota(neverRefused)))
    expect(html).toMatch(/class="plan-card not-tested" .*<span class="plan-word">Within its limit; never refused</)
    expect(html).not.toContain('Keeps its limit')
    expect(markdown).toContain('every answer is within the limit, but nothing was refused')
    expect(terminal).toMatch(
      / - free minute .*\n {6}limit 60 .*\n {6}every answer is within the limit, but nothing was refused\n/,
    )
  })
})

describe('a plan whose rules the run did not test', () => {
  const without = (...ids: readonly string[]): Report => ({
    ...withQuota(free),
    clauses: passingReport.clauses.map((each) => (ids.includes(each.id) ? { ...each, verdict: 'not-tested' } : each)),
  })

  it.each<[string, Report, QuotaRow, string]>([
    ['is not shown as proven', without('QUOTA-1', 'QUOTA-2'), free, 'not-tested'],
    ['is proven where one of them was', without('QUOTA-1'), free, 'pass'],
    ['of Enterprise has another rule', without('QUOTA-5'), { ...free, plan: 'enterprise' }, 'not-tested'],
    ['keeps its failure', without('QUOTA-1', 'QUOTA-2'), { ...free, verdict: 'fail' }, 'fail'],
  ])('%s', (_, report, quota, mark) => {
    expect(settledQuota({ ...report, quotas: [quota] }).verdict).toBe(mark)
  })

  it('is told as such in every format', () => {
    const { html, markdown, terminal } = shown(settled(without('QUOTA-1', 'QUOTA-2')))
    expect(html).toMatch(
      /class="plan-card not-tested".*<span class="plan-word">Within its limit; its rules were not tested</,
    )
    expect(html.replace(/<[^>]*>/g, '')).toContain(
      '60 admitted of 90 sent, 30 refused. QUOTA-1 and QUOTA-2 were not tested',
    )
    expect(html).not.toContain('Keeps its limit')
    expect(markdown).toContain('every answer is within the limit, but QUOTA-1 and QUOTA-2 were not tested')
    expect(terminal).toMatch(
      / - free minute .*\n {6}limit 60 .*\n {6}every answer is within the limit, but QUOTA-1 and QUOTA-2 were not tested\n/,
    )
  })
})

describe('a plan whose broken limit is waived', () => {
  const proOf = (report: Report) => report.quotas.find(({ plan }) => plan === 'pro') as QuotaRow

  it('says so, with the last day and the rule', () => {
    const told = 'known, and waived until 2026-12-31 (QUOTA-1)'
    expect(waivedInWords(waivedReport, proOf(waivedReport))).toBe(told)
    const { html, markdown, terminal } = shown(waivedReport)
    expect(html.replace(/<span class="id">([^<]*)<\/span>/g, '$1')).toContain(
      `<span class="plan-waived">${told}</span>`,
    )
    expect(html).toContain('class="plan-card waived"')
    expect(markdown).toMatch(/⏸ waived \|.*known, and waived until 2026-12-31 .QUOTA-1.* \|/)
    expect(terminal).toContain(`      ${told}\n`)
  })

  it.each<[string, Report, QuotaRow]>([
    ['nothing of it is waived', failingReport, proOf(failingReport)],
    ['the limit is kept', waivedReport, { ...proOf(waivedReport), verdict: 'pass' }],
    [
      'another check of the limit fails beside the waived one',
      {
        ...waivedReport,
        checks: [...waivedReport.checks, ...failingReport.checks.filter(({ clauses }) => clauses[0] === 'QUOTA-1')],
      },
      proOf(waivedReport),
    ],
  ])('says nothing of it where %s', (_, report, quota) => {
    expect(waivedInWords(report, quota)).toBeUndefined()
  })
})
