import { describe, expect, it } from 'vitest'
import { faults } from '../../../reference-server/faults/catalogue.js'
import { blocking, leakyBucket, twoPolicies } from '../../../reference-server/testing/keystone-contracts.js'
import { isExact, whyNotExact } from './keystone.js'
import { trialsOf } from './trials.js'

const idsOf = (ids: readonly string[]): string[] => trialsOf(undefined, ids).map(({ id }) => id)

describe('the trials that are asked for', () => {
  it('are those of a fault by its own id', () => {
    expect(idsOf(['limit-plus-one'])).toEqual(['limit-plus-one'])
  })

  it('are all faults that break a clause, by that of the clause', () => {
    const ofClause = faults.filter(({ breaks }) => breaks.includes('THROTTLE-3')).map(({ id }) => id)
    expect(ofClause.length).toBeGreaterThan(1)
    expect(idsOf(['THROTTLE-3'])).toEqual(ofClause)
  })

  it('are all, variations too, where nothing is said', () => {
    expect(idsOf([]).length).toBeGreaterThan(faults.length)
  })
})

const trialOf = (id: string, contract = twoPolicies) => {
  const found = trialsOf(contract, []).find((each) => each.id === id)
  if (!found) throw new Error(`there is no trial ${id}`)
  return found
}
const outcome = { failing: [], open: [], diagnosed: [], exitCode: 0 }

describe('the trials of a contract', () => {
  it('are those that mean something to it, each with the clauses of it that break', () => {
    const ids = [leakyBucket, blocking].map((contract) => trialsOf(contract, []).map(({ id }) => id))
    expect(ids.map((each) => ['cost-ignored', 'block-missing', 'undated'].filter((id) => each.includes(id)))).toEqual([
      ['cost-ignored', 'undated'],
      ['block-missing', 'undated'],
    ])
    expect(trialOf('window-doubled', leakyBucket).expected).toEqual(['QUOTA-2'])
    expect(trialOf('window-doubled').expected).toEqual(['QUOTA-2', 'RATE-5'])
    expect(trialOf('undated')).toMatchObject({ kind: 'variation', expected: [], server: { variations: ['undated'] } })
  })

  it.each([
    ['a must clause that fails with the run', 'limit-plus-one', { failing: ['QUOTA-1'], exitCode: 1 }, true],
    ['a must clause that fails and no run does', 'limit-plus-one', { failing: ['QUOTA-1'], exitCode: 0 }, false],
    ['a should clause that fails and no run does', 'reset-in-milliseconds', { failing: ['RATE-5'], exitCode: 0 }, true],
    ['another clause besides', 'limit-plus-one', { failing: ['QUOTA-1', 'RATE-2'], exitCode: 1 }, false],
    ['nothing that fails on a fault', 'limit-plus-one', {}, false],
    ['nothing that fails on a variation, and something open', 'undated', { open: ['RATE-6'] }, false],
    ['nothing that fails on a variation, and nothing open', 'undated', {}, true],
    ['a variation that is accused', 'undated', { failing: ['RATE-6'] }, false],
  ])('are exact or not by %s', (_, id, part, exact) => {
    expect(isExact(trialOf(id), { ...outcome, ...part })).toBe(exact)
  })
})

describe('a trial that is not exact', () => {
  it('says why: what failed unasked, what is open, and what it was taken for', () => {
    const row = {
      expected: ['QUOTA-1'] as const,
      failing: ['QUOTA-1', 'RATE-2'],
      open: ['RATE-6'],
      reasons: { 'QUOTA-1': 'too many', 'RATE-2': 'another limit', 'RATE-6': 'not enough evidence' },
      diagnosed: [{ where: 'QUOTA-1', looksLike: null, facts: { nodes: 2 } }],
    }
    expect(whyNotExact(row)).toEqual([
      'RATE-2 failed: another limit',
      'RATE-6 is open: not enough evidence',
      'QUOTA-1 was taken for nothing known {"nodes":2}',
    ])
  })
})
