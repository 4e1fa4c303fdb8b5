import { describe, expect, it } from 'vitest'
import type { ApiContract, HeaderField } from './api-contract.js'
import { clausesOf } from './clauses.js'
import { madeContract, madeQuota } from './testing/made-contract.js'

const field = (is: HeaderField['is'], level: HeaderField['level'] = 'must'): HeaderField => ({
  name: 'X-Field',
  is,
  level,
})

const levelsOf = (
  given: Partial<ApiContract> = {},
  quotaLevels: readonly ('must' | 'should' | 'observe')[] = ['must'],
) => {
  const quotas = quotaLevels.map((level, i) => madeQuota({ id: `q${i}`, level }))
  const contract = { ...madeContract(...quotas), ...given }
  return new Map(clausesOf(contract).map(({ id, level }) => [id as string, level as string]))
}

describe('what a contract file asks for', () => {
  it('is nothing of fields that it does not name', () => {
    expect([...levelsOf().keys()].filter((id) => id.startsWith('RATE-'))).toEqual([])
  })

  it.each([
    ['limit', ['RATE-1', 'RATE-2']],
    ['remaining', ['RATE-1', 'RATE-3', 'RATE-4']],
    ['reset', ['RATE-1', 'RATE-5', 'RATE-6']],
    ['used/limit', ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4']],
    ['draft-11', ['RATE-1', 'RATE-3', 'RATE-4', 'RATE-5', 'RATE-6']],
  ] as const)('of a field that says %s is %j at least', (is, expected) => {
    const levels = levelsOf({ headers: [field(is)] })
    expect(expected.filter((id) => levels.get(id) !== 'must')).toEqual([])
  })

  it('is at the level of the gravest field', () => {
    const levels = levelsOf({ headers: [field('limit', 'should'), field('remaining')] })
    expect([levels.get('RATE-1'), levels.get('RATE-2'), levels.get('RATE-3')]).toEqual(['must', 'should', 'must'])
  })

  it('says nothing of Retry-After where the contract has none', () => {
    const ids = (given: Partial<ApiContract>) => [...levelsOf(given).keys()].filter((id) => /THROTTLE-[2-5]/.test(id))
    expect(ids({})).toEqual([])
    expect(ids({ retryAfter: { as: ['seconds'], level: 'must' } })).toHaveLength(4)
  })

  it('asks no more than good sense for what only good sense asks', () => {
    const levels = levelsOf({ retryAfter: { as: ['seconds'], level: 'must' } })
    expect(['THROTTLE-2', 'THROTTLE-3', 'THROTTLE-4', 'THROTTLE-5', 'THROTTLE-8'].map((id) => levels.get(id))).toEqual([
      'must',
      'must',
      'must',
      'should',
      'should',
    ])
  })

  it('calls the wait by its header', () => {
    const retryAfter = { name: 'X-Wait', as: ['seconds' as const], level: 'must' as const }
    const said = clausesOf({ ...madeContract(madeQuota()), retryAfter }).find(({ id }) => id === 'THROTTLE-2')
    expect(said?.sentence).toBe('A refusal carries X-Wait.')
  })

  it.each([
    [undefined, 'must'],
    ['should', 'should'],
    ['none', undefined],
  ] as const)('promises clients that wait as told what it says: %s', (backoff, level) => {
    expect(levelsOf({ backoff }).get('THROTTLE-6')).toBe(level)
  })

  it('does not ask of a Reset that no refusal has whether the quota is there again', () => {
    const ids = levelsOf({ headers: [{ ...field('reset'), on: 'served' }] })
    expect([ids.get('RATE-5'), ids.get('RATE-6')]).toEqual(['must', undefined])
  })

  it('takes the gravest of its quotas for what is said of all', () => {
    expect(levelsOf({}, ['should', 'observe']).get('QUOTA-1')).toBe('should')
    expect(levelsOf({}, ['should', 'must']).get('QUOTA-2')).toBe('must')
  })
})
