import type { ApiContract, ContractRequest, CredentialSpec, QuotaSpec } from '../../src/contract/api-contract.js'
import { modelNames } from '../../src/contract/limiter-models.js'

const bearer = (env: string): CredentialSpec => ({ scheme: 'bearer', env })
const get = (path: string): ContractRequest => ({ method: 'GET', path, headers: {}, expect: [200] })

/** A quota with common defaults. */
export const quotaOf = (
  quota: Pick<QuotaSpec, 'id' | 'limit' | 'windowMs' | 'requests'> & Partial<QuotaSpec>,
): QuotaSpec => ({
  by: 'credential',
  models: [...modelNames],
  exact: { over: 0, early: 0 },
  cost: {},
  level: 'must',
  ...quota,
})

/** A bucket of 40 that leaks 2 a second, shown in one field, with a request that costs five. */
export const leakyBucket: ApiContract = {
  name: 'leaky-bucket',
  credentials: { shop: bearer('LEAKY_SHOP'), other: bearer('LEAKY_OTHER') },
  requests: { products: get('/products?limit=1'), orders: get('/orders'), search: get('/search?q=a') },
  headers: [{ name: 'X-Shop-Api-Call-Limit', is: 'used/limit', level: 'must' }],
  retryAfter: { as: ['seconds'], level: 'must' },
  refusals: [{ is: 'quota', status: [429], when: {} }],
  quotas: [
    quotaOf({
      id: 'bucket',
      limit: { shop: 2, other: 2 },
      windowMs: 1_000,
      burst: 40,
      requests: ['products', 'orders', 'search'],
      models: ['token-bucket', 'gcra'],
      cost: { search: 5 },
    }),
  ],
}

/** Ten in 2 s and forty in 12 s, both in one field of draft 11. */
export const twoPolicies: ApiContract = {
  name: 'two-policies',
  credentials: {
    free: { scheme: 'header', name: 'X-Api-Key', env: 'POLICIES_FREE' },
    pro: { scheme: 'header', name: 'X-Api-Key', env: 'POLICIES_PRO' },
  },
  requests: { items: get('/items?limit=1'), orders: get('/orders') },
  headers: [
    { name: 'RateLimit-Policy', is: 'draft-11-policy', level: 'should' },
    { name: 'RateLimit', is: 'draft-11', level: 'should' },
  ],
  retryAfter: { as: ['seconds', 'http-date'], level: 'must' },
  refusals: [{ is: 'quota', status: [429], when: {} }],
  quotas: [
    quotaOf({ id: 'burst', limit: { free: 10, pro: 15 }, windowMs: 2_000, requests: ['items', 'orders'] }),
    quotaOf({ id: 'sustained', limit: { free: 40, pro: 60 }, windowMs: 12_000, requests: ['items', 'orders'] }),
  ],
}

/** Ten in 2 s; an eleventh request gets 403, and so do all others for five windows. */
export const blocking: ApiContract = {
  name: 'blocking',
  credentials: { free: { scheme: 'basic', env: 'BLOCKING_FREE' }, pro: { scheme: 'basic', env: 'BLOCKING_PRO' } },
  requests: { items: get('/items?limit=1'), orders: get('/orders') },
  headers: [
    { name: 'X-RateLimit-Limit', is: 'limit', level: 'must' },
    { name: 'X-RateLimit-Remaining', is: 'remaining', level: 'must' },
  ],
  retryAfter: { as: ['seconds'], level: 'must' },
  refusals: [{ is: 'quota', status: [403], when: {}, body: 'temporarily blocked', lastsMs: 10_000 }],
  quotas: [quotaOf({ id: 'core', limit: { free: 10, pro: 15 }, windowMs: 2_000, requests: ['items', 'orders'] })],
}

/** The three contracts on which every fault and variation is tried. */
export const keystoneContracts: readonly ApiContract[] = [leakyBucket, twoPolicies, blocking]
