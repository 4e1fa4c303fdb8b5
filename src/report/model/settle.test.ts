import { describe, expect, it } from 'vitest'
import { headlineOf } from '../headline.js'
import type { Report } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { inconclusiveReport } from '../testing/inconclusive-report.js'
import { passingReport } from '../testing/passing-report.js'
import { settle } from './settle.js'

type Waiver = Parameters<typeof settle>[1]['waivers'][number]

const waiver = (id: string, change: Partial<Waiver> = {}): Waiver => ({
  subject: /^[A-Z]+-\d+$/.test(id) ? 'clause' : id.includes('.') ? 'check' : 'gate',
  id,
  target: 'http://127.0.0.1:8080/v1',
  reason: 'known',
  owner: 'team-a',
  until: '2026-12-31',
  place: 'waivers.yaml:2',
  ...change,
})

const both = [waiver('QUOTA-1'), waiver('THROTTLE-4')]
const plain = { gates: {}, plans: ['free', 'pro'], isPartial: false, rejectedKeys: [] }
const settled = (report: Report, waivers: readonly Waiver[], gates = {}) => {
  const done = settle(report, { ...plain, gates, waivers })
  return { ...done, headline: headlineOf(done) }
}

const checkOf = (clause: string): string => failingReport.clauses.find(({ id }) => id === clause)?.checks[0] ?? ''

describe('a run', () => {
  it.each<[string, Report, readonly Waiver[], object, Report['outcome'], string]>([
    [
      'passes without gates and waivers',
      passingReport,
      [],
      {},
      'pass',
      'The target passes: it keeps all 36 must rules that were tested; 2 other must rules were not tested.',
    ],
    [
      'fails by its clauses',
      failingReport,
      [],
      {},
      'fail',
      '(QUOTA-1); clients that wait as long as Retry-After says are refused again (THROTTLE-4).',
    ],
    [
      'passes with all failures waived',
      failingReport,
      both,
      {},
      'pass',
      'QUOTA-1 and THROTTLE-4 fail, which is known and waived',
    ],
    [
      'fails by what is not waived',
      failingReport,
      both.slice(1),
      {},
      'fail',
      'Pro admits more than its limit, which looks like',
    ],
    [
      'is waived by checks',
      failingReport,
      [waiver(checkOf('QUOTA-1')), waiver(checkOf('THROTTLE-4'))],
      {},
      'pass',
      'known and waived',
    ],
    [
      'is not waived for another target',
      failingReport,
      both.map((each) => ({ ...each, target: 'https://a/v1' })),
      {},
      'fail',
      'QUOTA-1',
    ],
    [
      'is waived by a pattern',
      failingReport,
      both.map((each) => ({ ...each, target: 'http://127.0.0.1:*/v1' })),
      {},
      'pass',
      'known and waived',
    ],
    [
      'takes a pattern literally but for the star',
      failingReport,
      both.map((each) => ({ ...each, target: 'http://127x0.0.1:*/v1' })),
      {},
      'fail',
      'QUOTA-1',
    ],
    [
      'holds a waiver on its last day',
      failingReport,
      both.map((each) => ({ ...each, until: '2026-11-21' })),
      {},
      'pass',
      'known and waived',
    ],
    [
      'fails by a waiver that ended',
      failingReport,
      [both[1], waiver('QUOTA-1', { until: '2026-11-20' })],
      {},
      'fail',
      'fix the failure, or agree a new date with team-a',
    ],
    [
      'fails by a waiver of what passes now',
      passingReport,
      [waiver('RATE-5')],
      {},
      'fail',
      'RATE-5 passes now: remove its waiver (waivers.yaml:2).',
    ],
    [
      'does not mind a waiver of what was not tested',
      passingReport,
      [waiver('INV-7')],
      {},
      'pass',
      'The target passes',
    ],
    [
      'does not take a doubt for a waived failure',
      inconclusiveReport,
      [waiver('QUOTA-1')],
      {},
      'inconclusive',
      '2 rules are inconclusive (QUOTA-1 and QUOTA-2)',
    ],
    [
      'fails by a gate',
      passingReport,
      [],
      { 'latencyMs.admitted.p99': 1 },
      'fail',
      'Latency of admitted requests, 99th percentile of the slowest load: 12.4 ms (Free and Pro); allowed: 1 ms.',
    ],
    [
      'is inconclusive by a gate on what was not measured',
      passingReport,
      [],
      { 'latencyMs.admitted.p50': { most: 1, everyMs: 500 } },
      'inconclusive',
      'this run measured nothing for 1 gate: latencyMs.admitted.p50.',
    ],
    [
      'waives a gate with the clause that says the same',
      failingReport,
      both,
      { level: 'must', overAdmitted: 0 },
      'pass',
      'known and waived',
    ],
    [
      'waives no gate with another clause',
      failingReport,
      both,
      { unrestored: 0 },
      'fail',
      'Pets whose quantity the run did not restore: 1; allowed: 0.',
    ],
    [
      'waives a gate by name',
      failingReport,
      [...both, waiver('unrestored')],
      { unrestored: 0 },
      'pass',
      'known and waived',
    ],
    [
      'fails by a waiver of a gate that holds now',
      passingReport,
      [waiver('unrestored')],
      { unrestored: 0 },
      'fail',
      'unrestored holds now: remove its waiver',
    ],
  ])('%s', (_, report, waivers, gates, outcome, headline) => {
    const done = settled(report, waivers, gates)
    expect(done.outcome).toBe(outcome)
    expect(done.headline).toContain(headline)
  })

  it('shows what is waived with reason, owner and day', () => {
    const done = settled(failingReport, both)
    const known = { reason: 'known', owner: 'team-a', until: '2026-12-31' }
    expect(done.clauses.find(({ id }) => id === 'QUOTA-1')).toMatchObject({ verdict: 'fail', waived: known })
    expect(done.checks.find(({ id }) => id === checkOf('QUOTA-1'))).toMatchObject({ verdict: 'fail', waived: known })
    expect(done.waivers.map(({ state }) => state)).toEqual(['applied', 'applied'])
  })

  it('waives a check that fails two clauses only where both are waived', () => {
    const shared = { ...failingReport, checks: failingReport.checks.map((check) => ({ ...check })) }
    for (const check of shared.checks) if (check.id === checkOf('QUOTA-1')) check.clauses = ['QUOTA-1', 'THROTTLE-4']
    const one = settled(shared, [waiver('QUOTA-1')])
    expect(one.checks.find(({ id }) => id === checkOf('QUOTA-1'))?.waived).toBeNull()
    expect(one.outcome).toBe('fail')
  })

  it.each<[string, 'pass' | 'fail', string, Report['outcome']]>([
    ['by one of its checks, where no other fails', 'pass', checkOf('QUOTA-1'), 'pass'],
    ['not by one of its checks, where another fails too', 'fail', checkOf('QUOTA-1'), 'fail'],
    ['by its own name, whichever of its checks fail', 'fail', 'QUOTA-1', 'pass'],
  ])('waives a clause %s', (_, verdict, id, outcome) => {
    const others = failingReport.checks.filter((check) => check.id === checkOf('QUOTA-1'))
    const checks = [...failingReport.checks, ...others.map((check) => ({ ...check, id: 'quota.other', verdict }))]
    expect(settled({ ...failingReport, checks }, [waiver(id), waiver('THROTTLE-4')]).outcome).toBe(outcome)
  })

  it('does not take a clause for mended that this scenario tests only in part', () => {
    const checks = passingReport.checks.map((check) =>
      check.clauses.includes('INV-2') ? { ...check, code: 'not-in-scenario', verdict: 'not-tested' as const } : check,
    )
    const done = settled({ ...passingReport, checks }, [waiver('INV-2')])
    expect(done.waivers[0]).toMatchObject({ state: 'unused' })
    expect(done.outcome).toBe('pass')
  })

  it('waives what only a waived failure leaves open, and no other doubt', () => {
    const open = (followsFrom: string[]): Report => ({
      ...failingReport,
      clauses: failingReport.clauses.map((each) =>
        each.id === 'QUOTA-2' ? { ...each, verdict: 'inconclusive' } : each,
      ),
      checks: failingReport.checks.map((each) =>
        each.id === checkOf('QUOTA-2') ? { ...each, verdict: 'inconclusive', followsFrom } : each,
      ),
    })
    const outcome = (followsFrom: string[], waivers = both) => settled(open(followsFrom), waivers).outcome
    expect(outcome(['QUOTA-1'])).toBe('pass')
    expect(outcome(['QUOTA-1', 'THROTTLE-4'])).toBe('pass')
    expect(outcome([])).toBe('inconclusive')
    // Its cause holds in this run: nothing that failed leaves it open.
    expect(outcome(['AUTH-1'])).toBe('inconclusive')
    expect(outcome(['QUOTA-1'], [waiver('THROTTLE-4')])).toBe('fail')
  })

  it.each<[string, string[], readonly Waiver[], string, string]>([
    [
      'waives a row with the failure that it follows from',
      ['THROTTLE-4'],
      both,
      'pass',
      'Because of it QUOTA-2 could not',
    ],
    ['counts a row with no such cause', [], both, 'inconclusive', 'waived until'],
    [
      'says that a waiver covers no open clause',
      [],
      [...both, waiver('QUOTA-2')],
      'inconclusive',
      'QUOTA-2 is inconclusive, not failed, and a waiver covers failures only.',
    ],
  ])('%s', (_, cause, waivers, outcome, sentence) => {
    const report: Report = {
      ...failingReport,
      clauses: failingReport.clauses.map((each) =>
        each.id === 'QUOTA-2' ? { ...each, verdict: 'inconclusive' } : each,
      ),
      checks: failingReport.checks.map((each) =>
        each.id === checkOf('QUOTA-2')
          ? { ...each, verdict: 'inconclusive', code: 'not-told', facts: {}, followsFrom: cause }
          : each,
      ),
    }
    const done = settled(report, waivers)
    expect(done.outcome).toBe(outcome)
    expect(done.waivers.map((each) => each.sentence).join(' ')).toContain(sentence)
  })

  it.each<[string, readonly string[], readonly Waiver[], string]>([
    ['waived failures', ['QUOTA-1'], both, 'not measured (Pro): blocked by QUOTA-1, which is waived'],
    ['a failure that is not waived', ['QUOTA-1'], [], 'not measured (Pro): blocked by QUOTA-1'],
    ['no failure of this run', [], both, 'not measured (Pro)'],
    [
      'two failures, one of them waived',
      ['QUOTA-1', 'THROTTLE-4'],
      [waiver('QUOTA-1')],
      'not measured (Pro): blocked by QUOTA-1 and THROTTLE-4',
    ],
  ])('says of a gate that is open because of %s what it follows from', (_, followsFrom, waivers, value) => {
    const report: Report = {
      ...failingReport,
      clauses: failingReport.clauses.map((each) =>
        each.id === 'QUOTA-2' ? { ...each, verdict: 'inconclusive' } : each,
      ),
      checks: failingReport.checks.map((each) =>
        each.id === checkOf('QUOTA-2') ? { ...each, verdict: 'inconclusive', followsFrom: [...followsFrom] } : each,
      ),
    }
    expect(settled(report, waivers, { earlyRefused: 0 }).gates).toMatchObject([{ id: 'earlyRefused', value }])
  })

  it('does not let a doubt of another clause keep one from being waived with its cause', () => {
    const doubt = (id: string, followsFrom: string[]) => ({
      clauses: (each: Report['clauses'][number]) =>
        each.id === id ? { ...each, verdict: 'inconclusive' as const } : each,
      checks: (each: Report['checks'][number]) =>
        each.id === checkOf(id) ? { ...each, verdict: 'inconclusive' as const, followsFrom } : each,
    })
    const [known, unknown] = [doubt('QUOTA-2', ['QUOTA-1']), doubt('RATE-6', [])]
    const report: Report = {
      ...failingReport,
      clauses: failingReport.clauses.map(known.clauses).map(unknown.clauses),
      checks: failingReport.checks.map(known.checks).map(unknown.checks),
    }
    const done = settled(report, both)
    const waived = (id: string) => done.clauses.find((each) => each.id === id)?.waived?.owner
    expect([waived('QUOTA-2'), waived('RATE-6'), done.outcome]).toEqual(['team-a', undefined, 'inconclusive'])
  })

  it('is never red by a waiver where nothing was reached', () => {
    const clauses = passingReport.clauses.map((each) => ({ ...each, verdict: 'inconclusive' as const }))
    const done = settled({ ...passingReport, clauses }, [waiver('QUOTA-1', { until: '2020-01-01' })], { lost: 0 })
    expect(done.outcome).toBe('inconclusive')
  })
})

it('the headline does not name a gate beside the broken clause that says the same', () => {
  expect(settled(failingReport, [], { overAdmitted: 0 }).headline).toMatch(/\(THROTTLE-4\)\.$/)
  expect(settled(failingReport, [], { unrestored: 0 }).headline).toMatch(
    /Pets whose quantity the run did not restore: 1/,
  )
})

describe('a waiver for another target', () => {
  const elsewhere = (id: string) => waiver(id, { target: 'http://localhost:8080/v1' })
  const said = (waivers: readonly Waiver[]) => settled(failingReport, waivers).notes.slice(failingReport.notes.length)

  it('is named with its place where what it names fails here', () => {
    expect(said([elsewhere('QUOTA-1')])).toEqual([
      {
        at: 0,
        text: 'waivers.yaml:2: the waiver of QUOTA-1 was not applied: it is for http://localhost:8080/v1, not for http://127.0.0.1:8080/v1',
      },
    ])
  })

  it.each([
    ['what it names holds', [elsewhere('AUTH-1')]],
    ['another one of this target waives the same', [elsewhere('QUOTA-1'), waiver('QUOTA-1')]],
  ])('is not where %s', (_, waivers) => expect(said(waivers)).toEqual([]))
})
