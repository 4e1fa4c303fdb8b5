import { describe, expect, it } from 'vitest'
import type { QuotaSpec } from './api-contract.js'
import { countsAgainst, partitionOf, quotaKeys, windowOfQuota } from './partitions.js'
import { noLongerLimit } from './plans.js'
import { madeContract as contract, madeQuota } from './testing/made-contract.js'

const quota = (given: Partial<QuotaSpec> = {}): QuotaSpec =>
  madeQuota({ limit: { free: 60, pro: 300 }, requests: ['items', 'search'], ...given })

describe('what a quota counts by', () => {
  it.each([
    ['credential', 'free'],
    ['address', 'address'],
    ['credential+request', 'free--items'],
    ['address+request', 'address--items'],
  ] as const)('is %s: %s', (by, name) => {
    expect(partitionOf({ by }, 'free', 'items')).toBe(name)
  })

  it.each([
    ['free', 'items', true],
    ['free', 'orders', false],
    ['nobody', 'items', false],
    ['toString', 'items', false],
  ])('a request of %s for %s counts: %s', (credential, probe, counts) => {
    expect(countsAgainst(quota(), credential, probe)).toBe(counts)
  })
})

describe('the keys of a quota', () => {
  const names = (given: Partial<QuotaSpec>, ...others: QuotaSpec[]) => {
    const own = quota(given)
    return quotaKeys(contract(own, ...others), own, ['free', 'pro', 'nobody']).map(
      ({ plan, quota: { limit: minute }, credential, request }) => `${plan} ${minute} ${credential} ${request}`,
    )
  }

  it('are its credentials, each with its limit', () => {
    expect(names({})).toEqual(['free 60 free items', 'pro 300 pro items'])
  })

  it('are one for all that come from an address', () => {
    expect(names({ by: 'address', limit: { free: 60, pro: 60 } })).toEqual(['address 60 free items'])
  })

  it('are one for each credential and probe', () => {
    expect(names({ by: 'credential+request', limit: { free: 60 } })).toEqual([
      'free--items 60 free items',
      'free--search 60 free search',
    ])
  })

  it('hold as many as a bucket holds', () => {
    expect(names({ burst: 40, limit: { free: 2 } })).toEqual(['free 40 free items'])
  })

  it('say which quota they are of, where there are several', () => {
    expect(names({ limit: { free: 60 } }, quota({ id: 'day' }))).toEqual(['free (core) 60 free items'])
  })

  it('have no second window that a run could reach', () => {
    const [key] = quotaKeys(contract(quota()), quota(), ['free'])
    expect(key.quota.longer).toBe(noLongerLimit)
  })
})

describe('the time in which a quota is whole again', () => {
  it.each([
    [{}, 1, 60_000],
    [{}, 10, 6_000],
    [{ burst: 40, limit: { free: 2 }, windowMs: 1_000 }, 1, 20_000],
  ])('of %j at the time scale %d is %d ms', (given, timeScale, expected) => {
    expect(windowOfQuota(quota(given), timeScale)).toBe(expected)
  })
})
