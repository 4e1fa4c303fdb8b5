import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { Finding } from '../../verdict/verdict.js'
import { type Kinds, tellingCases } from './needs.js'

const need = { cases: 'cups of tea', least: 2 }

/** A run of one probe, `tea`, that ended so; null where it has not been played. */
const run = (end: 'completed' | 'skipped' | 'failed' | null, reason = ''): Evidence =>
  madeEvidence([], {
    run: { probes: [{ probe: 'tea', settings: {} }] },
    probes: end === null ? [] : [{ type: 'probe', probe: 'tea', key: null, at: 0, end, reason }],
  })

const told = (evidence: Evidence, kinds: readonly (string | undefined)[]) => {
  const cases = tellingCases(evidence, need)
  for (const [i, kind] of kinds.entries()) cases.add({ id: `x${i + 1}` }, kind)
  return cases
}

const green: Kinds = { green: ['tea'] }

describe('a promise of which no breach was seen', () => {
  it.each<[string, Evidence, readonly (string | undefined)[], Kinds, Partial<Finding>]>([
    ['passes where enough cases tell', run('completed'), [undefined, undefined], {}, { verdict: 'pass', code: 'told' }],
    [
      'is open where too few do',
      run('completed'),
      [undefined],
      {},
      { verdict: 'inconclusive', code: 'not-told', facts: { cases: 'cups of tea', told: 1, needed: 1 } },
    ],
    ['is open where none does', run('completed'), [], {}, { verdict: 'inconclusive', code: 'not-told' }],
    ['takes one of each kind', run('completed'), ['black', 'black'], green, { verdict: 'inconclusive' }],
    ['passes with one of each kind', run('completed'), ['black', 'green'], green, { verdict: 'pass' }],
    [
      'is not tested where nothing asked for a kind',
      run('completed'),
      ['black', 'black'],
      { white: ['coffee'] },
      { verdict: 'not-tested', code: 'not-asked' },
    ],
    [
      'is not tested where the user left out what asks for a kind',
      run('skipped', 'read-only'),
      ['black', 'black'],
      green,
      { verdict: 'not-tested' },
    ],
    [
      'is open where there was no room for what asks for a kind',
      run('skipped', 'day-too-small'),
      ['black', 'black'],
      green,
      { verdict: 'inconclusive' },
    ],
    ['is open where what asks did not end', run('failed', 'no-answer'), ['a', 'b'], green, { verdict: 'inconclusive' }],
    ['is open where what asks was not reached', run(null), ['a', 'b'], green, { verdict: 'inconclusive' }],
  ])('%s', (_name, evidence, kinds, wanted, finding) => {
    expect(told(evidence, kinds).conclude({ kinds: wanted })).toMatchObject(finding)
  })

  it('shows the first case of each kind', () => {
    const finding = told(run('completed'), ['a', 'a', 'b', 'a', 'c']).conclude()
    expect(finding).toMatchObject({ facts: { told: 5 }, witnesses: [{ id: 'x1' }, { id: 'x3' }, { id: 'x5' }] })
  })
})
