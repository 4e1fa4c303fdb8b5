import { describe, expect, it } from 'vitest'
import type { Check } from '../checks/framework/check.js'
import { clauses } from '../contract/clauses.js'
import { noLongerLimit } from '../contract/plans.js'
import type { ProbeEnd } from '../evidence/journal.js'
import { type EvidencePart, madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import { statusAgrees } from '../petstore/checks/errors.js'
import type { Finding, Verdict } from '../verdict/verdict.js'
import { judge, sentenceOf } from './judge.js'

const finding = (verdict: Verdict): Finding => ({
  verdict,
  code: 'held',
  facts: {},
  witnesses: [{ id: 'x1' }],
})

const check = (part: Partial<Check> = {}): Check => ({
  id: 'rate.made',
  promise: 'made',
  clauses: ['RATE-1'],
  reads: ['hello'],
  judge: () => finding('pass'),
  sentences: { held: () => 'held' },
  ...part,
})

const planned = (...names: readonly string[]) => names.map((probe) => ({ probe, settings: {} }))
const ended = (probe: string, end: ProbeEnd['end'], reason = ''): ProbeEnd => ({
  type: 'probe',
  probe,
  key: null,
  at: 1,
  end,
  reason,
})

const judged = (part: EvidencePart, ...checks: readonly Check[]) => judge(madeEvidence([], part), checks)
const played: EvidencePart = { run: { probes: planned('hello') }, probes: [ended('hello', 'completed')] }

describe('judging', () => {
  it('asks each check that has something to read, and keeps its finding', () => {
    const { checks, crashed } = judged(played, check())
    expect(checks).toMatchObject([{ level: 'must', finding: finding('pass') }])
    expect(crashed).toBe(false)
  })

  it('gives every clause of a target its row, and those of a client none', () => {
    const rows = judged(played).clauses
    expect(rows.map(({ clause }) => clause.id)).toEqual(
      clauses.map(({ id }) => id).filter((id) => !id.startsWith('CLIENT-')),
    )
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(['not-tested']))
  })

  it('combines the checks of a clause, and takes one check for several clauses', () => {
    const { clauses: rows } = judged(
      played,
      check({ clauses: ['RATE-1', 'RATE-2'] }),
      check({ id: 'rate.other', clauses: ['RATE-2'], judge: () => finding('fail') }),
    )
    const verdicts = Object.fromEntries(rows.map(({ clause, verdict }) => [clause.id, verdict]))
    expect(verdicts).toMatchObject({ 'RATE-1': 'pass', 'RATE-2': 'fail', 'RATE-3': 'not-tested' })
  })

  it('takes a check for as grave as the gravest of its clauses, unless it says that it is milder', () => {
    const levels = judged(
      played,
      check({ clauses: ['RATE-7', 'RATE-1'] }),
      check({ clauses: ['RATE-7', 'ERR-4'] }),
      check({ clauses: ['RATE-1'], level: 'observe' }),
    ).checks.map(({ level }) => level)
    expect(levels).toEqual(['must', 'should', 'observe'])
  })

  it('does not let an observation stand for what a clause asks', () => {
    const observing = check({ level: 'observe', judge: () => finding('fail') })
    const rows = judged(played, observing, check({ id: 'rate.other' })).clauses
    expect(rows.find(({ clause }) => clause.id === 'RATE-1')?.verdict).toBe('pass')
  })

  it('turns a check that breaks down into a doubt, and says that the harness has a fault', () => {
    const broken = check({
      judge: () => {
        throw new Error('oh')
      },
    })
    const { checks, crashed } = judged(played, broken, check({ id: 'rate.other' }))
    expect(checks[0].finding).toMatchObject({ verdict: 'inconclusive', code: 'check-crashed' })
    expect(checks[0].finding.facts.message).toMatch(/^Error: oh/)
    expect(crashed).toBe(true)
  })
})

describe('a check that can not be judged', () => {
  it.each<[string, EvidencePart, Verdict, string, object]>([
    [
      'reads no probe of the scenario',
      { run: { probes: planned('other') } },
      'not-tested',
      'not-in-scenario',
      { probes: ['hello'] },
    ],
    [
      'reads probes that were all skipped',
      { run: { probes: planned('hello') }, probes: [ended('hello', 'skipped', 'no-large-ids')] },
      'not-tested',
      'probe-skipped',
      { probe: 'hello', reason: 'no-large-ids' },
    ],
    [
      'reads a probe that was not played',
      { run: { probes: planned('hello') }, probes: [] },
      'inconclusive',
      'probe-incomplete',
      { probe: 'hello', reason: 'not played' },
    ],
    [
      'reads a probe that was blocked on one key',
      {
        run: { probes: planned('hello') },
        probes: [ended('hello', 'completed'), ended('hello', 'failed', 'long-wait')],
      },
      'inconclusive',
      'probe-incomplete',
      { probe: 'hello', reason: 'long-wait' },
    ],
    [
      'reads a probe that was interrupted',
      { run: { probes: planned('hello') }, probes: [ended('hello', 'interrupted', 'interrupted')] },
      'inconclusive',
      'probe-incomplete',
      { probe: 'hello', reason: 'interrupted' },
    ],
  ])('%s', (_name, part, verdict, code, facts) => {
    const { checks, crashed } = judged(part, check())
    expect(checks[0].finding).toMatchObject({ verdict, code, facts })
    expect(crashed).toBe(false)
  })

  it.each([
    [10_000, 'on the Free key burst would take 61 requests, and 40 are left of the key'],
    [noLongerLimit, 'on the Free key burst would take 61 requests, and the longer quotas of the contract leave 40'],
  ])(
    'is open where all were skipped, and one for want of room in a day, or in a longer quota: of %i',
    (longer, said) => {
      const room = { key: 'free', needed: 61, left: 40 }
      const probes = [
        ended('hello', 'skipped', 'read-only'),
        { ...ended('burst', 'skipped', 'day-too-small'), key: 'free', room },
      ]
      const { checks } = judged(
        {
          run: { probes: planned('hello', 'burst'), keys: [{ ...madeKey('free'), quota: { limit: 60, longer } }] },
          probes,
        },
        check({ reads: ['hello', 'burst'] }),
      )
      expect(sentenceOf(checks[0].check, checks[0].finding)).toContain(said)
      expect(checks[0].finding).toMatchObject({
        verdict: 'inconclusive',
        code: 'no-room-in-day',
        facts: { probe: 'burst', plan: 'free', needed: 61, left: 40 },
      })
    },
  )

  it('is judged all the same where one probe was skipped and another played', () => {
    const part = {
      run: { probes: planned('hello', 'burst') },
      probes: [ended('hello', 'skipped', 'read-only'), ended('burst', 'completed')],
    }
    expect(judged(part, check({ reads: ['hello', 'burst'] })).checks[0].finding.verdict).toBe('pass')
  })

  it('still fails on what half a probe has shown', () => {
    const part = { run: { probes: planned('hello') }, probes: [ended('hello', 'failed', 'long-wait')] }
    expect(judged(part, check({ judge: () => finding('fail') })).checks[0].finding).toEqual(finding('fail'))
  })

  it('does not need probes where any answer will do', () => {
    expect(judged({ probes: [] }, check({ reads: 'everything' })).checks[0].finding.verdict).toBe('pass')
  })
})

describe('--only and --skip', () => {
  it.each<[readonly string[], readonly string[], boolean]>([
    [[], [], true],
    [['RATE-1'], [], true],
    [['rate-1'], [], true],
    [['RATE'], [], true],
    [['rate.made'], [], true],
    [['RATE-2'], [], false],
    [['AUTH', 'RATE-1'], [], true],
    [[], ['RATE-1'], false],
    [[], ['rate'], false],
    [[], ['AUTH'], true],
    [['RATE'], ['RATE-1'], false],
  ])('%j and %j: %s', (only, skip, asked) => {
    const { finding: found } = judged({ ...played, run: { ...played.run, only: [...only], skip: [...skip] } }, check())
      .checks[0]
    expect(found.code).toBe(asked ? 'held' : 'left-out')
    expect(found.verdict).toBe(asked ? 'pass' : 'not-tested')
  })
})

const told = (others: number) =>
  sentenceOf(statusAgrees, {
    verdict: 'fail',
    code: 'status-disagrees',
    facts: { case: 'GET /x', http: 404, body: '200', others },
    witnesses: [],
  })

it.each([
  [0, /status 200$/],
  [1, / \(and one more of the Error bodies with a status\)$/],
  [1_098, / \(and 1,098 more Error bodies with a status\)$/],
])('says of what there were %i more', (others, words) => {
  expect(told(others)).toMatch(words)
})
