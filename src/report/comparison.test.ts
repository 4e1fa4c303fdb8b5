import { describe, expect, it } from 'vitest'
import { compareRuns } from './comparison.js'
import { renderComparisonHtml, renderComparisonMarkdown, renderComparisonTerminal } from './comparison-views.js'
import type { Report } from './model.js'
import { attackReport } from './testing/attack-report.js'
import { failingReport } from './testing/failing-report.js'
import { passingReport } from './testing/passing-report.js'
import { waivedReport } from './testing/waived-report.js'

const withVerdict = (id: string, verdict: Report['clauses'][number]['verdict'], base = passingReport): Report => ({
  ...base,
  clauses: base.clauses.map((clause) => (clause.id === id ? { ...clause, verdict, waived: null } : clause)),
})

const withP99 = (ms: number): Report => ({
  ...passingReport,
  load: passingReport.load.map((row) => ({
    ...row,
    latencyMs: { ...row.latencyMs, admitted: { p50: 4, p90: 7, p99: ms, max: 2 * ms } },
  })),
})

const kindsOf = (baselines: readonly Report[], run: Report) =>
  compareRuns(baselines, run).verdicts.map(({ id, kind }) => `${id} ${kind}`)

/** A run that would not have shown some defects of a Free key. */
const excludingLess = (...defects: readonly string[]): Report => ({
  ...passingReport,
  certificates: passingReport.certificates.map((row) => ({
    ...row,
    excluded: row.excluded.filter(({ defect }) => row.plan !== 'free' || !defects.includes(defect)),
  })),
})

describe('what a run excludes', () => {
  it('is told where it is less than in every baseline, and is no regression', () => {
    const { verdicts, regressed } = compareRuns([passingReport], excludingLess('window-2%', 'lost-1-in-40'))
    expect(verdicts).toMatchObject([
      { id: 'excludes (free)', now: 'open', reason: 'No longer excluded: window-2%, lost-1-in-40.', kind: 'other' },
    ])
    expect(regressed).toBe(false)
  })

  it('says nothing where one baseline excluded no more', () => {
    expect(kindsOf([passingReport, excludingLess('window-2%')], excludingLess('window-2%'))).toEqual([])
  })

  it('says nothing of a baseline of before there were certificates', () => {
    expect(kindsOf([{ ...passingReport, certificates: [] }], passingReport)).toEqual([])
  })
})

describe('verdicts', () => {
  it.each<[string, readonly Report[], Report, string[]]>([
    ['do not change by themselves', [passingReport], passingReport, []],
    ['get worse', [passingReport], withVerdict('RATE-5', 'fail'), ['RATE-5 worse']],
    ['get worse at should too', [passingReport], withVerdict('AUTH-8', 'fail'), ['AUTH-8 worse']],
    ['get better', [withVerdict('RATE-5', 'fail')], passingReport, ['RATE-5 better']],
    ['lose a proof', [passingReport], withVerdict('RATE-5', 'not-tested'), ['RATE-5 worse']],
    ['lose a proof of a should', [passingReport], withVerdict('AUTH-8', 'inconclusive'), ['AUTH-8 other']],
    [
      'stay as they are where one baseline said so',
      [passingReport, withVerdict('RATE-5', 'fail')],
      withVerdict('RATE-5', 'fail'),
      [],
    ],
    [
      'do not take a loss for one where a baseline was open',
      [passingReport, withVerdict('RATE-5', 'inconclusive')],
      withVerdict('RATE-5', 'not-tested'),
      [],
    ],
    [
      'get worse from a doubt',
      [withVerdict('RATE-5', 'inconclusive')],
      withVerdict('RATE-5', 'fail'),
      ['RATE-5 worse'],
    ],
    ['of observe are never held against a run', [passingReport], withVerdict('QUOTA-8', 'fail'), []],
  ])('%s', (_, baselines, run, changes) => {
    expect(kindsOf(baselines, run)).toEqual(changes)
  })

  it('do not call a waived failure a regression, nor the end of its waiver', () => {
    expect(kindsOf([passingReport], waivedReport)).toContain('QUOTA-1 other')
    expect(kindsOf([waivedReport], withVerdict('QUOTA-1', 'fail', waivedReport))).toEqual(['QUOTA-1 other'])
  })

  it('of gates count as those of clauses do', () => {
    expect(kindsOf([passingReport], failingReport)).toEqual([
      'AUTH-8 worse',
      'QUOTA-1 worse',
      'THROTTLE-4 worse',
      'overAdmitted worse',
    ])
  })
})

describe('figures', () => {
  const changes = (baselines: readonly Report[], run: Report, floors = {}) =>
    compareRuns(baselines, run, floors)
      .figures.filter(({ figure, plan }) => figure === 'latencyMs.admitted.p99' && plan === 'pro')
      .map(({ kind }) => kind)

  it.each<[string, readonly number[], number, string[]]>([
    ['stay within both floors', [100, 100, 100], 190, []],
    ['have to pass the share', [400, 400, 400], 799, []],
    ['have to pass the amount', [20, 20, 20], 169, []],
    ['get worse beyond both', [400, 400, 400], 801, ['worse']],
    ['take several baselines as the noise', [100, 200, 400], 799, []],
    ['get worse beyond the worst baseline', [100, 200, 400], 801, ['worse']],
    ['are not held against a run while nobody knows how much they vary', [40, 40], 900, []],
    ['get worse by an order of magnitude whatever they vary by', [110], 1_111, ['worse']],
  ])('%s', (_, baselines, now, kinds) => {
    expect(changes(baselines.map(withP99), withP99(now))).toEqual(kinds)
  })

  it('get better where a floor is set that a gain can pass', () => {
    const floors = { share: 0.5, amountMs: 20 }
    expect(changes([withP99(100)], withP99(51), floors)).toEqual([])
    expect(changes([withP99(100)], withP99(49), floors)).toEqual(['better'])
  })

  it('take other floors for times', () => {
    expect(changes([withP99(100)], withP99(110), { share: 0.05, amountMs: 1 })).toEqual(['worse'])
  })

  it('that count what is exact have no noise', () => {
    const changed = compareRuns([passingReport], failingReport).figures.filter(
      ({ figure }) => figure === 'overAdmitted',
    )
    expect(changed).toMatchObject([{ plan: 'pro', high: 0, value: 5, kind: 'worse' }])
  })

  it('of a waived failure are told, and are no regression', () => {
    const { figures } = compareRuns([passingReport], waivedReport)
    expect(figures.filter(({ figure }) => figure === 'overAdmitted')).toMatchObject([{ plan: 'pro', kind: 'other' }])
  })

  it('that are no longer measured are told, and are no regression', () => {
    const { figures, regressed } = compareRuns([passingReport], { ...passingReport, load: [] })
    expect(figures.map(({ kind, value }) => [kind, value])).toContainEqual(['other', null])
    expect(regressed).toBe(false)
  })
})

describe('clients that wait as told', () => {
  const withClients = (change: Partial<Report['backoff'][number]>): Report => ({
    ...passingReport,
    backoff: passingReport.backoff.map((row) => ({ ...row, ...change })),
  })
  const ofClients = (baselines: readonly Report[], run: Report, floors = {}) =>
    compareRuns(baselines, run, floors)
      .figures.filter(({ figure }) => figure.startsWith('compliant.'))
      .map(({ figure, plan, value, kind }) => `${figure} ${plan} ${value} ${kind}`)

  it.each<[string, Report, string[]]>([
    ['have the same ends where they are alike', passingReport, []],
    ['may waste more by chance', withClients({ wasted: 140 }), []],
    ['waste more', withClients({ wasted: 141 }), ['compliant.wasted free 141 worse']],
    ['take longer by chance', withClients({ endedAt: 30_600 + 60_000 }), []],
    ['take longer', withClients({ endedAt: 30_600 + 60_001 }), ['compliant.tookMs free 72601 worse']],
    ['that gave up took no time that is known', withClients({ served: 149 }), ['compliant.tookMs free null other']],
    [
      'that hammer are no such clients',
      withClients({ behaviour: 'hammering', wasted: 9_000 }),
      ['compliant.wasted free null other', 'compliant.tookMs free null other'],
    ],
  ])('%s', (_, run, changes) => {
    expect(ofClients([passingReport], run).toSorted()).toEqual(changes.toSorted())
  })

  it('keep their own floors whatever floors are set for times: chance makes them wait longer, not the machine', () => {
    expect(ofClients([passingReport], withClients({ endedAt: 40_000 }), { share: 0.05, amountMs: 1 })).toEqual([])
  })
})

describe('figures that did not change', () => {
  const withShare = (share: number | null): Report => {
    const answers = (p50: number) => ({ count: 90, p50, p90: 30, p99: 34, max: 40 })
    const cost = { plan: 'free', admitted: answers(20), refused: answers(10), withheld: share === null, rounds: [] }
    return { ...passingReport, limiterCosts: [{ ...cost, share }] }
  }

  it.each<[string, number | null, number | null, string[]]>([
    ['is no change within its floors', 0.35, 0.7, []],
    ['gets worse where it doubles', 0.35, 0.75, ['worse']],
    ['is told where it is withheld', 0.35, null, ['other']],
  ])('what the limiter costs %s', (_, before, now, kinds) => {
    const { figures: changed } = compareRuns([withShare(before)], withShare(now))
    expect(changed.filter(({ figure }) => figure === 'limiterCost.share').map(({ kind }) => kind)).toEqual(kinds)
  })

  it('have what the limiter costs, named as it is', () => {
    const told = renderComparisonTerminal(compareRuns([withShare(0.35)], withShare(0.75)), {
      colour: false,
      width: 100,
    })
    expect(told).toContain('limiterCost.share (free)  0.35 → 0.75')
    const { unchanged } = compareRuns([withShare(0.35)], withShare(0.35))
    expect(unchanged.map(({ figure }) => figure)).toContain('limiterCost.admitted.p50')
  })

  const plain = { colour: false, width: 120 }
  const same = compareRuns([passingReport], passingReport)
  const shown = (all: boolean, comparison = same) => [
    renderComparisonTerminal(comparison, { ...plain, all }),
    renderComparisonMarkdown(comparison, all),
    renderComparisonHtml(comparison, '0.1.0', all),
  ]

  it('are those that all of the runs have, told apart by whether they are held against a run', () => {
    const names = (isHeld: boolean) =>
      same.unchanged.filter((each) => each.isHeld === isHeld).map(({ figure, plan }) => `${figure} ${plan}`)
    expect(names(true)).toHaveLength(same.figuresCompared)
    expect(names(true)).toEqual(expect.arrayContaining(['recovery.lateMs pro', 'latencyMs.refused.p50 free']))
    expect(names(false)).toEqual(expect.arrayContaining(['durationMs null', 'latencyMs.admitted.max pro']))
    const none = compareRuns([passingReport], { ...passingReport, load: [] })
    expect(none.unchanged.filter(({ figure }) => figure.startsWith('latency'))).toEqual([])
  })

  it('are counted where nobody asks for them', () => {
    for (const text of shown(false)) {
      expect(text).toContain(`${same.figuresCompared} figures within noise; --all lists them.`)
      expect(text).not.toContain('latencyMs.admitted.p50')
    }
  })

  it('are listed where somebody does', () => {
    const rows = [
      /latencyMs\.admitted\.p50 \(pro, slowest load\) +4\.1 ms +→ +4\.1 ms/,
      /\| `latencyMs\.admitted\.p50 \(pro, slowest load\)` \| 4\.1 ms \| 4\.1 ms \| Latency of admitted requests, median/,
      /<th scope="row">latencyMs\.admitted\.p50 \(pro, slowest load\)<\/th><td>4\.1 ms<\/td><td class="within-noise">4\.1 ms<\/td>/,
    ]
    shown(true).forEach((text, at) => {
      expect(text).toMatch(rows[at] as RegExp)
      expect(text).toMatch(/Within noise.*Shown only.*durationMs/s)
      expect(text).not.toContain('--all')
    })
  })

  it('are none where the runs have no figures', () => {
    const { load: _, quotas: __, backoff: ___, ...rest } = passingReport
    const bare: Report = { ...rest, load: [], quotas: [], backoff: [], timelines: [] }
    for (const text of shown(false, compareRuns([bare], bare))) expect(text).not.toContain('within noise')
  })
})

describe('a comparison', () => {
  const worse = compareRuns([passingReport], failingReport)
  const same = compareRuns([passingReport, passingReport], passingReport)

  it('says in a sentence what got worse', () => {
    expect(renderComparisonMarkdown(worse)).toContain(
      'regressions: AUTH-8, QUOTA-1, THROTTLE-4, overAdmitted, overAdmitted (pro)',
    )
    expect(renderComparisonMarkdown(same)).toMatch(/^## ✅ No regression\.$/m)
    expect([worse.regressed, same.regressed]).toEqual([true, false])
  })

  it('reads the same on a terminal, in Markdown and in HTML', async () => {
    const plain = { colour: false, width: 100 }
    await expect(renderComparisonTerminal(worse, plain)).toMatchFileSnapshot('./testing/golden/worse.terminal.txt')
    await expect(renderComparisonMarkdown(worse)).toMatchFileSnapshot('./testing/golden/worse.markdown.txt')
    expect(renderComparisonHtml(worse, '0.1.0')).toContain(
      '<th scope="row">THROTTLE-4</th><td>pass</td><td class="worse">fail</td>',
    )
    expect(renderComparisonMarkdown(same)).toContain('Nothing changed beyond noise.')
  })

  it('lets nothing of the target act', () => {
    const attacked = compareRuns([passingReport], attackReport)
    expect(renderComparisonHtml(attacked, '0.1.0')).not.toMatch(/<(script|img|iframe)/i)
    expect(renderComparisonTerminal(attacked, { colour: false, width: 80 }).replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Bidi_Control}]/u,
    )
  })
})
