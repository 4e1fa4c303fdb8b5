import { describe, expect, it } from 'vitest'
import type { QuotaSpec } from './api-contract.js'
import { mostBeside, quotasBeside } from './partitions.js'
import { madeContract as contract, madeQuota } from './testing/made-contract.js'

const quota = (id: string, given: Partial<QuotaSpec> = {}): QuotaSpec => madeQuota({ id, ...given })

it('a quota is beside another where some request counts against both', () => {
  const minute = quota('minute', { requests: ['items', 'search'] })
  const search = quota('search', { windowMs: 1_000, requests: ['search'] })
  const other = quota('other', { windowMs: 1_000, limit: { pro: 5 } })
  expect(quotasBeside(contract(minute, search, other), minute).map(({ id }) => id)).toEqual(['search'])
})

describe('what shorter quotas let a credential send in one window', () => {
  const sustained = quota('sustained', { limit: { free: 40, pro: 60 }, windowMs: 12_000 })
  const burst = quota('burst', { limit: { free: 10, pro: 15 }, windowMs: 2_000 })

  it.each<[string, readonly QuotaSpec[], number]>([
    ['is their rate', [burst], 60],
    ['is that of the slowest of them', [burst, quota('second', { limit: { free: 4 }, windowMs: 1_000 })], 48],
    ['is the lowest limit where they count by address', [{ ...burst, by: 'address', limit: { free: 10, pro: 5 } }], 30],
    [
      'is nothing that a longer one says',
      [quota('hour', { limit: { free: 1 }, windowMs: 3_600_000 })],
      Number.POSITIVE_INFINITY,
    ],
    ['has no bound where none is beside', [], Number.POSITIVE_INFINITY],
  ])('%s', (_name, beside, most) => {
    expect(mostBeside(contract(sustained, ...beside), sustained, 'free')).toBe(most)
  })
})
