import { describe, expect, it } from 'vitest'
import type { QuotaSpec } from './api-contract.js'
import { beyondReach, firstTurn, mostBeside, quotaKeys, quotasBeside } from './partitions.js'
import { madeContract as contract, madeQuota } from './testing/made-contract.js'

const quota = (id: string, given: Partial<QuotaSpec> = {}): QuotaSpec => madeQuota({ id, ...given })

it('a quota is beside another where some request counts against both', () => {
  const minute = quota('minute', { requests: ['items', 'search'] })
  const search = quota('search', { windowMs: 1_000, requests: ['search'] })
  const other = quota('other', { windowMs: 1_000, limit: { pro: 5 } })
  expect(quotasBeside(contract(minute, search, other), minute).map(({ id }) => id)).toEqual(['search'])
})

describe('the requests that loads send in turn', () => {
  const both = { requests: ['items', 'search'] }
  const account = (given: Partial<QuotaSpec> = {}) => quota('account', { ...both, limit: { free: 8 }, ...given })
  const endpoint = (given: Partial<QuotaSpec> = {}) =>
    quota('endpoint', { ...both, by: 'credential+request', limit: { free: 5 }, ...given })
  const inTurn = (own: QuotaSpec, ...beside: QuotaSpec[]) =>
    quotaKeys(contract(own, ...beside), own, ['free'])[0].inTurn?.map(({ request }) => request)

  it.each<[string, QuotaSpec, readonly QuotaSpec[], readonly string[] | undefined]>([
    ['are as many as spend it and one more', account(), [endpoint()], both.requests],
    [
      'are the first alone where no quota is narrower',
      account(),
      [account({ id: 'hour', windowMs: 3_600_000 })],
      undefined,
    ],
    ['are the first alone where that can spend it', account({ limit: { free: 4 } }), [endpoint()], undefined],
    [
      'are the first alone where it is counted nowhere else',
      account(),
      [endpoint({ requests: ['search'] })],
      undefined,
    ],
    [
      'are the first alone where all together cannot spend it',
      account({ limit: { free: 20 } }),
      [endpoint()],
      undefined,
    ],
    [
      'are the first alone where it has as much in several shorter windows',
      account(),
      [endpoint({ windowMs: 30_000 })],
      undefined,
    ],
    ['are those that cost the same', account({ cost: { search: 2 } }), [endpoint()], undefined],
  ])('%s', (_name, own, beside, expected) => {
    expect(inTurn(own, ...beside)).toEqual(expected)
  })

  it.each<[string, QuotaSpec, number | undefined]>([
    ['half of what is left beside, where no answer tells which quota refused', endpoint({ limit: { free: 7 } }), 11],
    ['what it likes, where nothing is left beside', endpoint({ limit: { free: 4 } }), undefined],
    ['what it likes, where no quota is beside', endpoint({ requests: ['orders'] }), undefined],
  ])('go at once no more than %s', (_name, beside, most) => {
    expect(quotaKeys(contract(account(), beside), account(), ['free'])[0].mostAtOnce).toBe(most)
  })

  it.each([
    ['as many as is wanted where answers show what is left', 'account', undefined],
    ['no more where they show what is left of another quota', 'endpoint', 9],
  ])('go at once %s', (_name, of, most) => {
    const shown = {
      ...contract(account(), endpoint()),
      headers: [{ name: 'x-left', is: 'remaining' as const, level: 'must' as const, quota: of }],
    }
    expect(quotaKeys(shown, account(), ['free'])[0].mostAtOnce).toBe(most)
  })

  it('are counted apart in a shorter quota', () => {
    const [own, beside] = [account({ limit: { free: 20 } }), endpoint({ limit: { free: 8 }, windowMs: 30_000 })]
    const turns = both.requests.map((request) => ({ credential: 'free', request }))
    expect([turns.slice(0, 1), turns].map((each) => mostBeside(contract(own, beside), own, each))).toEqual([16, 32])
  })

  it('reach no limit that all of them together cannot spend', () => {
    expect(
      beyondReach(contract(account({ limit: { free: 20 } }), endpoint()), account({ limit: { free: 20 } })),
    ).toEqual([{ limit: 20, most: 10 }])
    expect(beyondReach(contract(account(), endpoint()), account())).toEqual([])
  })
})

describe('what the credentials of one address send in turn', () => {
  const shared = { free: 30, pro: 30, business: 30 }
  const address = quota('address', { by: 'address', limit: shared })
  const key = (limit: number) => quota('key', { limit: { free: limit, pro: limit, business: limit } })
  const sentOf = (limit: number, credentials: readonly string[]) =>
    quotaKeys(contract(address, key(limit)), address, credentials)[0].inTurn?.map(({ credential }) => credential)

  it('is the same request, by as many of them as spend what each alone cannot', () => {
    expect(sentOf(12, ['free', 'pro', 'business'])).toEqual(['free', 'pro', 'business'])
    expect(sentOf(20, ['free', 'pro', 'business'])).toEqual(['free', 'pro'])
  })

  it('is the first alone where that is enough, or all at hand are not', () => {
    expect([sentOf(40, ['free', 'pro']), sentOf(12, ['free', 'pro'])]).toEqual([undefined, undefined])
  })

  it('is no limit beyond reach where the file has enough of them', () => {
    expect(beyondReach(contract(address, key(12)), address)).toEqual([])
    expect(beyondReach(contract(address, key(9)), address)).toEqual([{ limit: 30, most: 27 }])
  })
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
    expect(mostBeside(contract(sustained, ...beside), sustained, firstTurn(sustained, 'free'))).toBe(most)
  })
})
