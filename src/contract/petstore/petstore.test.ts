import { describe, expect, it } from 'vitest'
import { countsAgainst } from '../partitions.js'
import { contractOf, petstore } from './petstore.js'

describe('the contract of a run', () => {
  it('is the Petstore where it names none, with a limit for each key at hand', () => {
    const keys = [{ name: 'enterprise', quota: { limit: 5, longer: 50 } }]
    const { credentials, quotas } = contractOf({ keys })
    expect(credentials).toEqual({ enterprise: { scheme: 'bearer', env: 'QUOTASPEC_KEY_ENTERPRISE' } })
    expect(quotas.map(({ id, limit }) => [id, limit])).toEqual([
      ['minute', { enterprise: 5 }],
      ['day', { enterprise: 50 }],
    ])
  })

  it('is its own where it names one', () => {
    const own = { ...petstore, name: 'acme' }
    expect(contractOf({ contract: own, keys: [] })).toBe(own)
  })

  it('counts every operation of the Petstore, on each plan', () => {
    const [minute] = petstore.quotas
    expect(countsAgainst(minute, 'free', 'updateInventory')).toBe(true)
  })
})
