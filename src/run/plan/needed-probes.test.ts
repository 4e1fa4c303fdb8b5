import { describe, expect, it } from 'vitest'
import { checks, findProbe, neededProbes } from '../registry.js'

type Wishes = Parameters<typeof neededProbes>[1]

const conformance = [
  'hello',
  'header-row',
  'read-write-read',
  'invalid-bodies',
  'unknown-pet',
  'no-key',
  'bad-keys',
  'model-walk',
  'hard-input',
  'exhaustion',
]
const gate = ['hello', 'header-row', 'invalid-bodies', 'unknown-pet', 'bad-keys', 'isolation', 'burst', 'split']

const needed = (wishes: Partial<Wishes>, played = conformance) =>
  neededProbes(played, { only: [], skip: [], ...wishes }, checks)

describe('the probes that --only leaves', () => {
  it.each([
    ['all where nothing is picked', {}, conformance],
    [
      'what brings about the statuses of one check',
      ['errors.status-agrees'],
      ['hello', 'invalid-bodies', 'unknown-pet', 'no-key'],
    ],
    ['the gentlest that is refused', ['throttle.retry-after-present'], ['hello', 'exhaustion']],
    ['what a check reads by name', ['auth.no-key'], ['hello', 'no-key']],
    ['the first look alone where the list is all it takes', ['rate.limit-of-plan'], ['hello']],
  ] as const)('are %s', (_, only, probes) => {
    expect(needed(Array.isArray(only) ? { only: only as readonly string[] } : {})).toEqual(probes)
  })

  it('are of those of a kind the first that the scenario plays', () => {
    expect(needed({ only: ['errors.status-agrees'] }, gate)).toEqual([
      'hello',
      'invalid-bodies',
      'unknown-pet',
      'bad-keys',
    ])
    expect(needed({ only: ['throttle.retry-after-present'] }, gate)).toEqual(['hello', 'burst'])
  })

  it('are what the checks of an area take, less those of checks that are skipped, and what is named besides', () => {
    expect(needed({ only: ['auth'], skip: ['auth.no-key'] })).not.toContain('no-key-at-all')
    expect(needed({ only: ['SCHEMA-1'], with: ['hard-input'] })).toEqual(
      expect.arrayContaining(['hello', 'read-write-read', 'hard-input']),
    )
    expect(needed({ only: ['SCHEMA-1'] })).not.toContain('hard-input')
    expect(needed({ only: ['errors.status-agrees'], skip: ['ERR-2'] })).toEqual(['hello'])
  })

  it('exist, and are named by every check that reads everything, and by no other', () => {
    for (const { id, alone, reads } of checks) {
      expect(alone !== undefined, id).toBe(reads === 'everything')
      for (const probe of alone?.flat() ?? []) expect(findProbe(probe)?.id).toBe(probe)
    }
  })
})
