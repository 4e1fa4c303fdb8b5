import { describe, expect, it } from 'vitest'
import type { Check } from '../checks/framework/check.js'
import { fail, inconclusive, pass } from '../checks/framework/finding.js'
import type { ClauseId } from '../contract/clauses.js'
import type { Obstacle } from '../evidence/journal.js'
import { type EvidencePart, madeEvidence } from '../evidence/testing/made-evidence.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import type { Rerun } from '../report/model.js'
import { judge } from '../run/judge.js'
import type { Finding } from '../verdict/verdict.js'
import { buildReport } from './build-report.js'

/** A check of a clause that comes to this, told in one sentence whatever it is. */
const check = (clause: ClauseId, finding: Finding, part: Partial<Check> = {}): Check => ({
  id: `${clause.toLowerCase().replace('-', '.clause-')}`,
  promise: 'made',
  clauses: [clause],
  reads: 'everything',
  judge: () => finding,
  sentences: { [finding.code]: () => 'told' },
  ...part,
})

const rerunOf = (part: EvidencePart, ...checks: readonly Check[]): Rerun | null => {
  const evidence = madeEvidence([{}], { run: { probes: [{ probe: 'hello', settings: {} }], ...part.run }, ...part })
  return buildReport(evidence, judge(evidence, checks), { version: '0.1.0', crashed: false }).rerun
}

const proven = check('RATE-1', pass('held', {}))
const doubted = (reason: string): Finding => inconclusive('quota-not-judged', { plan: 'free', plans: ['free'], reason })
const late = doubted('generator-late')
const lost = doubted('answers-lost')
const used = doubted('used-before')
const untold = inconclusive('not-told', { cases: 'cups', told: 0, needed: 1, missing: [], leftOut: 0 })
const again: Partial<Check> = {
  again: { probe: 'burst', beside: [], settings: () => ({}), dearest: {} },
}

describe('whether another run may settle what is open', () => {
  it.each<[string, readonly Check[], Rerun['helps'], RegExp]>([
    [
      'maybe, where the machine was late',
      [proven, check('QUOTA-1', late)],
      'maybe',
      /^Another run may help: this machine could not send the load on time \(QUOTA-1\)\.$/,
    ],
    [
      'no, where something has to be changed first',
      [proven, check('QUOTA-1', used)],
      'no',
      /^Another run helps only after a change: set unused: true in the scenario .* \(QUOTA-1\)\.$/,
    ],
    [
      'unknown, where what was seen tells neither',
      [proven, check('QUOTA-1', lost)],
      'unknown',
      /^Another run may or may not help: too many answers were lost \(QUOTA-1\)\.$/,
    ],
    [
      'no, if one of several reasons stays',
      [check('QUOTA-1', late), check('QUOTA-2', lost), check('THROTTLE-4', used)],
      'no',
      /THROTTLE-4/,
    ],
    ['unknown, if one may stay', [check('QUOTA-1', late), check('THROTTLE-4', lost)], 'unknown', /\(THROTTLE-4\)/],
    [
      'of both clauses that one cause leaves open',
      [check('QUOTA-1', late), check('QUOTA-2', late)],
      'maybe',
      /\(QUOTA-1 and QUOTA-2\)/,
    ],
    ['unknown, where too little was seen', [proven, check('THROTTLE-4', untold)], 'unknown', /not enough evidence/],
    [
      'maybe, where the check knows how to see more',
      [proven, check('THROTTLE-4', untold, again)],
      'maybe',
      /too little evidence/,
    ],
    ['no, where nothing was proven', [check('RATE-7', pass('held', {}))], 'no', /choose a scenario and keys/],
    [
      'as the check says that sees all of a clause, not the one that yields to it',
      [check('QUOTA-1', late), check('QUOTA-1', lost, { id: 'quota.beside', yields: true })],
      'maybe',
      /on time/,
    ],
    ['not by what only warns', [check('QUOTA-1', late), check('RATE-7', used)], 'maybe', /QUOTA-1/],
    ['unknown of a code that nobody knows', [proven, check('QUOTA-1', inconclusive('odd', {}))], 'unknown', /not say/],
  ])('%s', (_, checks, helps, sentence) => {
    const rerun = rerunOf({}, ...checks)
    expect(rerun?.helps).toBe(helps)
    expect(rerun?.sentence).toMatch(sentence)
  })

  const looked = (ended: boolean, ...obstacles: Obstacle[]): EvidencePart => ({
    firstLook: { at: 1, obstacles, ended },
  })
  it.each<[string, EvidencePart, Rerun['helps'], string]>([
    ['a key that is not accepted', looked(true, { kind: 'key-rejected', exchange: 'x1' }), 'no', 'keys'],
    ['the same that the run went on without', looked(false, { kind: 'key-rejected', exchange: 'x1' }), 'no', 'keys'],
    ['a target that is not there', looked(true, { kind: 'unreachable', exchange: 'x1' }), 'unknown', 'reached'],
    ['load that is not allowed', looked(true, { kind: 'load-not-allowed', probes: ['burst'] }), 'no', '--allow-load'],
    ['a target that fell silent', { endedBy: 'target-silent' }, 'unknown', 'stopped answering'],
    ['a probe without leave for load', probeFailed('load-not-allowed'), 'no', '--allow-load'],
    ['a probe without an answer', probeFailed('no-answer'), 'unknown', 'no answer'],
    ['a probe that broke down', probeFailed('crashed: oh'), 'unknown', 'did not end'],
  ])('is told of %s', (_, part, helps, words) => {
    const reader = check('QUOTA-1', pass('held', {}), { reads: ['burst'] })
    const rerun = rerunOf(part, proven, ...(part.probes ? [reader] : []))
    expect(rerun).toMatchObject({ helps })
    expect(rerun?.sentence).toContain(words)
  })

  it.each([
    [1_200, false],
    [1_201, true],
  ])('is told of a machine that stood still for %d ms of a minute: %s', (stoodStillMs, isTold) => {
    const ledgers = [madeLedger([{ sentMs: 0 }], { stoodStillMs: 5 }), madeLedger([{ sentMs: 0 }], { stoodStillMs })]
    const hidden = inconclusive('defect-may-hide', { tooSmallDay: null })
    const { sentence = '' } = rerunOf({ ledgers }, proven, check('QUOTA-1', hidden)) ?? {}
    expect(sentence.includes('stalled for up to 1.2 s')).toBe(isTold)
    expect(sentence).toContain('sent its requests at moments that show too little (QUOTA-1)')
  })

  it('counts a gate on what was not measured, unless an open clause says the same', () => {
    const gated = (...checks: readonly Check[]) =>
      rerunOf({ run: { probes: [{ probe: 'hello', settings: {} }], gates: { overAdmitted: 0 } } }, proven, ...checks)
    expect(gated()?.reasons).toEqual([{ of: 'overAdmitted', helps: 'unknown', why: 'nothing was measured for a gate' }])
    expect(gated(check('QUOTA-1', late))?.helps).toBe('maybe')
  })

  it('is told of no run that ends with another code', () => {
    expect(rerunOf({}, proven)).toBeNull()
    expect(rerunOf({}, proven, check('QUOTA-2', fail('broken', {})))).toBeNull()
    expect(rerunOf({ interrupted: true }, proven, check('QUOTA-1', late))).toBeNull()
  })
})

function probeFailed(reason: string): EvidencePart {
  return {
    run: {
      probes: [
        { probe: 'hello', settings: {} },
        { probe: 'burst', settings: {} },
      ],
    },
    probes: [{ type: 'probe', probe: 'burst', key: 'free', at: 1, end: 'failed', reason }],
  }
}
