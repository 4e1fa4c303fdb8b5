import { describe, expect, it } from 'vitest'
import type { Report } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { inconclusiveReport } from '../testing/inconclusive-report.js'
import { passingReport } from '../testing/passing-report.js'
import { evaluateGates, type Gates } from './gates.js'

const context = { plans: ['free', 'pro'], isPartial: false }
const gate = (report: Report, gates: Gates, given = context) => evaluateGates(report, gates, given)[0]

const slow = (plan: string, figure: string, value: number): Report => ({
  ...passingReport,
  load: passingReport.load.map((row) =>
    row.plan === plan ? { ...row, worstStretches: [{ figure, everyMs: 1_000, startedAt: 2_400, value }] } : row,
  ),
})

const slowPro: Report = {
  ...passingReport,
  load: passingReport.load.map((row) =>
    row.plan === 'pro' && row.latencyMs.admitted
      ? { ...row, latencyMs: { ...row.latencyMs, admitted: { ...row.latencyMs.admitted, p99: 99 } } }
      : row,
  ),
}

const unseen = { petId: '1', quantity: '5', curl: 'curl -X PATCH', look: 'curl' }
const unlooked = (...others: Report['unrestored']): Report => ({
  ...passingReport,
  restored: false,
  unrestored: [unseen, ...others],
})

describe('a gate on what a run excludes', () => {
  const excludes = (report: Report, defect: string, given = context) => gate(report, { excludes: [defect] }, given)

  it.each([
    ['holds where every key excludes it', 'window-2%', 'pass', 'excluded'],
    ['holds where one key excludes it for the limiter of all', 'nodes-2', 'pass', 'excluded'],
    [
      'is open where it could hide on some key',
      'window-1%',
      'inconclusive',
      'shown in 0 of 20 replays (Free), shown in 0 of 20 replays (Pro)',
    ],
    [
      'is open on the key alone whose own counts may get lost',
      'lost-1-in-200',
      'inconclusive',
      'shown in 13 of 20 replays (Free)',
    ],
    ['is open where nothing was replayed', 'race-1ms', 'inconclusive', 'not measured (Free), not measured (Pro)'],
  ])('%s', (_, defect, verdict, value) => {
    expect(excludes(passingReport, defect)).toMatchObject({ id: `excludes.${defect}`, verdict, value })
  })

  it('is open on a plan without a certificate, and where a run has none of a plan', () => {
    const [free] = passingReport.certificates
    expect(excludes({ ...passingReport, certificates: [free] }, 'limit+1')).toMatchObject({
      verdict: 'inconclusive',
      value: 'not measured (Pro)',
    })
    expect(excludes(passingReport, 'limit+1', { plans: [], isPartial: false })?.verdict).toBe('inconclusive')
  })

  it('is not tested where only some checks were asked for and no load was sent', () => {
    const report = { ...passingReport, certificates: [] }
    expect(excludes(report, 'limit+1', { ...context, isPartial: true })?.verdict).toBe('not-tested')
  })

  it("takes the limit of another plan for excluded on the plan's own key", () => {
    const [free, pro] = passingReport.certificates
    const other = { defect: 'limit-of-pro', words: 'the limit of pro (300)', share: 1, draws: 6, demanded: true }
    const certificates = [{ ...free, excluded: [...free.excluded, other] }, pro]
    expect(excludes({ ...passingReport, certificates }, 'limit-of-pro')?.verdict).toBe('pass')
    expect(excludes(passingReport, 'limit-of-pro')?.verdict).toBe('inconclusive')
  })
})

describe('a gate', () => {
  it.each<[string, Report, Gates, string, string]>([
    ['holds at its limit', passingReport, { overAdmitted: 0 }, 'pass', '0'],
    ['fails beyond it, and names the worst plan', failingReport, { overAdmitted: 0 }, 'fail', '5 (Pro)'],
    ['takes the closest limiter as the measure', failingReport, { overAdmitted: 5 }, 'pass', '5 (Pro)'],
    ['reads latencies', passingReport, { 'latencyMs.admitted.p99': 12 }, 'fail', '12.4 ms (Free and Pro)'],
    [
      'reads the latencies of its plan alone',
      slowPro,
      { plans: { free: { 'latencyMs.admitted.p99': 12.4 } } },
      'pass',
      '12.4 ms',
    ],
    ['counts what fails and only warns', failingReport, { warnings: 0 }, 'fail', '1'],
    ['counts no warning where all rules hold', passingReport, { warnings: 0 }, 'pass', '0'],
    ['reads what was sent', passingReport, { requests: 1_181 }, 'fail', '1,182'],
    ['reads recovery', failingReport, { 'recovery.lateMs': 1_000 }, 'fail', '5,900 ms (Pro)'],
    ['counts what is open', inconclusiveReport, { inconclusive: 1 }, 'fail', '2'],
    ['counts what was not put back', failingReport, { unrestored: 0 }, 'fail', '1'],
    ['on pets that nobody could look at is open', unlooked(), { unrestored: 0 }, 'inconclusive', 'not measured'],
    [
      'is open with them short of its limit',
      unlooked({ ...unseen, look: null }),
      { unrestored: 1 },
      'inconclusive',
      'not measured',
    ],
    ['fails beside them', unlooked({ ...unseen, look: null }), { unrestored: 0 }, 'fail', '1'],
    ['of the level must ignores a should', passingReport, { level: 'must' }, 'pass', '0 of 36 tested'],
    ['of the level must names what fails', failingReport, { level: 'must' }, 'fail', '2 (QUOTA-1, THROTTLE-4)'],
    [
      'of the level should takes in both',
      failingReport,
      { level: 'should' },
      'fail',
      '3 (AUTH-8, QUOTA-1, THROTTLE-4)',
    ],
    [
      'of a level is open with its clauses',
      inconclusiveReport,
      { level: 'must' },
      'inconclusive',
      '0, but 2 inconclusive (QUOTA-1, QUOTA-2)',
    ],
    ['on what was not measured is inconclusive', inconclusiveReport, { lost: 0 }, 'inconclusive', 'not measured'],
    [
      'on an inconclusive quota is inconclusive',
      inconclusiveReport,
      { overAdmitted: 9 },
      'inconclusive',
      'not measured',
    ],
    ['on one plan reads that plan', failingReport, { plans: { free: { overAdmitted: 0 } } }, 'pass', '0'],
    ['fails on that plan alone', failingReport, { plans: { pro: { overAdmitted: 0 } } }, 'fail', '5'],
    [
      'on every stretch reads the worst of them',
      slow('pro', 'latencyMs.admitted.p99', 80),
      { plans: { pro: { 'latencyMs.admitted.p99': { most: 50, everyMs: 1_000 } } } },
      'fail',
      '80 ms',
    ],
    [
      'on every stretch reads no other figure, and none of another length',
      slow('pro', 'latencyMs.refused.p99', 80),
      { plans: { pro: { 'latencyMs.admitted.p99': { most: 50, everyMs: 1_000 } } } },
      'inconclusive',
      'not measured',
    ],
    [
      'on stretches that were not measured is inconclusive, whatever the whole load says',
      passingReport,
      { 'latencyMs.admitted.p99': { most: 50, everyMs: 1_000 } },
      'inconclusive',
      'not measured',
    ],
  ])('%s', (_, report, gates, verdict, value) => {
    expect(gate(report, gates)).toMatchObject({ verdict, value })
  })

  it('is inconclusive where one of the plans was not measured, and fails where another breaks it', () => {
    const context = { plans: ['free', 'pro', 'business'], isPartial: false }
    expect(gate(passingReport, { overAdmitted: 0 }, context)).toMatchObject({
      verdict: 'inconclusive',
      value: 'not measured (Business)',
    })
    expect(gate(failingReport, { overAdmitted: 0 }, context)).toMatchObject({ verdict: 'fail', value: '5 (Pro)' })
  })

  it('names every plan that is over its limit, the worst first, and none that keeps it', () => {
    const late = (lateMs: number) => ({ afterMs: null, retryAfterMs: null, resetAfterMs: null, lateMs })
    const row = failingReport.quotas[0]
    const lateOn = { free: 1_500, pro: 5_900, business: 0, enterprise: 1_500 }
    const quotas = Object.entries(lateOn).map(([plan, ms]) => ({ ...row, plan, recovery: late(ms) }))
    const plans = Object.keys(lateOn)
    const gates = { 'recovery.lateMs': 1_000 }
    expect(gate({ ...failingReport, quotas }, gates, { plans, isPartial: false })).toMatchObject({
      verdict: 'fail',
      value: '5,900 ms (Pro), 1,500 ms (Free and Enterprise)',
    })
  })

  it('takes a count against a limiter for no breach that no clause has', () => {
    const early = { reason: 'early-refusal' as const, overAdmitted: 0, earlyRefused: 13, witnesses: [] }
    const quotas = failingReport.quotas.map((row) =>
      row.plan === 'pro' ? { ...row, refutations: { gcra: early } } : row,
    )
    const report = { ...failingReport, quotas }
    const rows = evaluateGates(report, { overAdmitted: 0, earlyRefused: 0 }, context)
    expect(rows.map(({ value, verdict }) => [value, verdict])).toEqual([
      ['not measured (Pro)', 'inconclusive'],
      ['not measured (Pro)', 'inconclusive'],
    ])
  })

  it('counts on each plan what its finding tells, though another limiter leaves fewer requests of both kinds', () => {
    const over = { reason: 'over-admission' as const, overAdmitted: 4, earlyRefused: 0, witnesses: [] }
    const both = { reason: 'both' as const, overAdmitted: 1, earlyRefused: 2, witnesses: [] }
    const [row] = failingReport.quotas.filter(({ breach }) => breach?.kind === 'over-admission')
    const quotas = [
      { ...row, plan: 'free', refutations: { 'fixed-window': over, gcra: over } },
      { ...row, plan: 'pro', refutations: { 'fixed-window': over, gcra: both } },
    ]
    expect(gate({ ...failingReport, quotas }, { overAdmitted: 0 })).toMatchObject({
      verdict: 'fail',
      value: '4 each (Free and Pro)',
    })
  })

  it('is not tested where single checks were asked for, yet fails where it was measured', () => {
    const partial = { plans: ['free', 'pro'], isPartial: true }
    expect(gate(inconclusiveReport, { lost: 0 }, partial)?.verdict).toBe('not-tested')
    expect(gate(failingReport, { overAdmitted: 0 }, partial)?.verdict).toBe('fail')
  })

  it('never says more than inconclusive where nothing at all was proven', () => {
    const clauses = passingReport.clauses.map((each) => ({ ...each, verdict: 'inconclusive' as const }))
    const rows = evaluateGates({ ...passingReport, clauses }, { level: 'must', inconclusive: 0, lost: 0 }, context)
    expect(rows.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
  })

  it('on pets that nobody could look at is open also where single checks were asked for', () => {
    expect(gate(unlooked(), { unrestored: 0 }, { ...context, isPartial: true }).verdict).toBe('inconclusive')
  })
})
