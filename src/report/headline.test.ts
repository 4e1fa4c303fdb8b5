import { describe, expect, it } from 'vitest'
import { brokenInWords, clauses } from '../contract/clauses.js'
import type { Fact } from '../verdict/verdict.js'
import { headlineOf } from './headline.js'
import type { CheckRow, QuotaRow, Report } from './model.js'
import { passingReport, proQuota } from './testing/passing-report.js'

const quota = (plan: string, change: Partial<QuotaRow> = {}): QuotaRow => ({ ...proQuota, plan, ...change })

const failed = (clause: string, facts: { [name: string]: Fact } = {}): Partial<CheckRow> => ({
  clauses: [clause],
  verdict: 'fail',
  facts,
})

/** The passing report with these checks failed, and with them their clauses. */
const broken = (checks: readonly Partial<CheckRow>[], quotas: readonly QuotaRow[] = []): Report => ({
  ...passingReport,
  outcome: 'fail',
  quotas: [...quotas],
  clauses: passingReport.clauses.map((clause) =>
    checks.some((check) => check.clauses?.[0] === clause.id) ? { ...clause, verdict: 'fail' } : clause,
  ),
  checks: [
    ...passingReport.checks.filter(({ clauses: [id] }) => checks.every((check) => check.clauses?.[0] !== id)),
    ...checks.map((check, at): CheckRow => ({ ...(passingReport.checks[0] as CheckRow), id: `check-${at}`, ...check })),
  ],
})

const oneTooMany = (plan: string) => ({ plan, looksLike: 'limit-higher-by-one' })
const minutes = ['free', 'pro', 'business'].map((plan) => quota(plan, { verdict: 'fail' }))

describe('the headline', () => {
  it('names what could not be judged because of a failure that is waived', () => {
    const waived = { reason: 'known', owner: 'ada', until: '2026-12-31' }
    const verdicts: Readonly<Record<string, 'fail' | 'inconclusive'>> = { 'QUOTA-1': 'fail', 'QUOTA-6': 'inconclusive' }
    const clausesOf = passingReport.clauses.map((clause) => {
      const verdict = verdicts[clause.id]
      return verdict ? { ...clause, verdict, waived } : clause
    })
    expect(headlineOf({ ...passingReport, clauses: clausesOf })).toMatch(
      /QUOTA-1 fails, which is known and waived, and because of that QUOTA-6 could not be judged/,
    )
  })

  it.each<[string, Report, string]>([
    [
      'names every plan that breaks a quota, and the gravest first',
      broken([failed('ERR-2'), failed('QUOTA-1', { plans: ['free', 'pro', 'business'].map(oneTooMany) })], minutes),
      'Free, Pro and Business admit one request too many a minute (QUOTA-1); the "status" in JSON error bodies is not the status of the answer (ERR-2).',
    ],
    [
      'tells plans apart that break it in different ways',
      broken(
        [failed('QUOTA-1', { plans: [oneTooMany('free'), { plan: 'pro', looksLike: 'nodes-count-alone' }] })],
        [
          quota('free', { verdict: 'fail' }),
          quota('pro', { verdict: 'fail', diagnosis: '4 nodes that each count alone' }),
        ],
      ),
      'Free admits one request too many a minute and Pro admits more than its limit, which looks like 4 nodes that each count alone (QUOTA-1).',
    ],
    [
      'says no more than is known where nothing known fits',
      broken([failed('QUOTA-2', { plans: [{ plan: 'free', looksLike: null }] })], minutes.slice(0, 1)),
      'Free refuses what its limit still allows (QUOTA-2).',
    ],
    [
      'reads a report that names one plan only',
      broken([failed('QUOTA-1', { plan: 'pro', looksLike: 'limit-higher-by-one' })], minutes),
      'Pro admits one request too many a minute (QUOTA-1).',
    ],
    [
      'calls quotas of a contract file as it does, with their windows, and tells of each',
      broken(
        [
          failed('QUOTA-1', { plans: [oneTooMany('user (core)')] }),
          failed('QUOTA-1', { plans: [{ plan: 'user (search)', looksLike: 'no-limit' }] }),
        ],
        [
          quota('user (core)', { window: 'core', windowMs: 20_000 }),
          quota('user (search)', { window: 'search', windowMs: 1_000 }),
        ],
      ),
      'User (core) admits one request too many in 20.0 s and user (search) enforces no limit (QUOTA-1).',
    ],
    [
      'counts what it has no room for',
      broken(['QUOTA-4', 'AUTH-2', 'INV-2', 'RATE-1', 'ERR-1'].map((id) => failed(id))),
      'One plan spends or blocks the quota of another (QUOTA-4); unknown keys are accepted (AUTH-2); the list does not show a change, or shows changes that nobody made (INV-2); 2 more rules broken.',
    ],
    [
      'counts one rule as one',
      {
        ...passingReport,
        clauses: passingReport.clauses.map((each) => ({ ...each, verdict: each.id === 'INV-1' ? 'pass' : 'observed' })),
      },
      'The target passes: it keeps the one must rule that was tested.',
    ],
  ])('%s', (_, report, headline) => {
    expect(headlineOf(report)).toBe(headline)
  })

  describe('of a run that proves nothing', () => {
    const until = { reason: 'known', owner: 'ada', until: '2026-12-31' }
    /** Nothing but these clauses was looked at; those that fail or are open as musts are waived. */
    const only = (verdicts: Readonly<Record<string, Report['clauses'][number]['verdict']>>): Report => {
      const rows = passingReport.clauses.map((each) => {
        const verdict = verdicts[each.id] ?? 'not-tested'
        const isWaived = each.level === 'must' && (verdict === 'fail' || verdict === 'inconclusive')
        return { ...each, verdict, waived: isWaived ? until : null }
      })
      return { ...passingReport, outcome: 'inconclusive', clauses: rows, checks: [], gates: [] }
    }

    it.each<[string, Report, string]>([
      [
        'says what is known to fail and waived, and what follows from it',
        only({ 'ERR-1': 'fail', 'ERR-2': 'inconclusive' }),
        `Everything tested fails, as known and waived, so nothing is proven: ${brokenInWords('ERR-1')} (ERR-1). Because of that ERR-2 could not be judged.`,
      ],
      [
        'counts what it has no room for',
        only({ 'AUTH-2': 'fail', 'INV-2': 'fail', 'RATE-1': 'fail', 'ERR-1': 'fail' }),
        `${brokenInWords('RATE-1')} (RATE-1); 1 more rule broken.`,
      ],
      [
        'says that only rules were looked at that are no must',
        only({ 'AUTH-8': 'pass', 'QUOTA-8': 'observed' }),
        'No must rule was tested, only AUTH-8 and QUOTA-8, so nothing is proven.',
      ],
      ['says that nothing was tested where nothing was', only({}), 'Nothing was tested, so nothing is proven.'],
    ])('%s', (_, report, headline) => {
      expect(headlineOf(report).endsWith(headline)).toBe(true)
    })
  })

  it('says of a run that tested few rules how few, and not that the target passes', () => {
    const tested = (most: number): Report => {
      const must = passingReport.clauses.filter(({ level }) => level === 'must').slice(0, most)
      const clausesOf = passingReport.clauses.map((each) => ({
        ...each,
        verdict: must.includes(each) ? ('pass' as const) : ('not-tested' as const),
      }))
      return { ...passingReport, clauses: clausesOf }
    }
    expect(headlineOf(tested(13))).toBe('Nothing broken in the 13 must rules that were tested; 25 were not.')
    expect(headlineOf(tested(1))).toBe('Nothing broken in the one must rule that was tested; 37 were not.')
    expect(headlineOf(tested(20))).toMatch(/^The target passes: it keeps all 20 must rules that were tested; 18 other/)
  })

  it('has words for the breach of every clause that can fail', () => {
    const binding = clauses.filter(({ id, level }) => level !== 'observe' && !id.startsWith('CLIENT-'))
    expect(binding.filter(({ id }) => brokenInWords(id) === undefined)).toEqual([])
  })

  it('tells of a clause that this version does not know by its own sentence', () => {
    const report = broken([failed('INV-1')])
    const renamed = report.clauses.map((each) => (each.id === 'INV-1' ? { ...each, id: 'NEW-1' } : each))
    expect(headlineOf({ ...report, clauses: renamed })).toContain('A rule is broken: GET /inventory with a valid key')
  })
})
