import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence, madeKey } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { mayBeOfAnother } from '../../oracle/refusals-of-others.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { headersPresent } from './headers.js'
import { remainingInRange } from './remaining-in-range.js'

const get = (path: string) => ({ method: 'GET' as const, path, headers: {}, expect: [200] })
const models = [...modelNames]
const one = madeContract(['X-Used used/limit'], {
  requests: { items: get('/items'), search: get('/search') },
  quotas: [madeQuota({ limit: { free: 40 }, requests: ['items', 'search'], cost: { search: 5 }, models })],
})
const two = madeContract(['RateLimit draft-11', 'RateLimit-Policy draft-11-policy'], {
  quotas: [
    madeQuota({ id: 'core', policy: 'core', limit: { free: 60 }, models }),
    madeQuota({ id: 'hour', policy: 'hour', limit: { free: 600 }, windowMs: 3_600_000, models }),
  ],
})

const policies: [string, string] = ['RateLimit-Policy', '"core";q=60;w=60, "hour";q=600;w=3600']

/** A run in which one request was refused, with this header. */
const viewOf = (contract: typeof one, operation: string, header: [string, string]): Evidence => {
  const x = madeExchange({ id: 'x1', sentAt: 0, status: 429, credential: 'agreed' })
  const response = x.response && { ...x.response, headers: [policies, header] }
  const { limit } = contract.quotas[0]
  const keys = [{ ...madeKey('free'), quota: { limit: limit.free, longer: 1 } }]
  const run = { contract, keys, probes: [{ probe: 'burst', settings: {} }] }
  const evidence = { ...madeEvidence([], { run }), exchanges: [{ ...x, operation, response }] }
  return quotaView(evidence, 'core')
}

describe('what a refusal shows to remain', () => {
  it.each([
    ['none of a request that costs one', 'items', '40/40', 'not-told'],
    ['one of a request that costs one', 'items', '39/40', 'remaining-on-refusal'],
    ['four of a request that costs five', 'search', '36/40', 'not-told'],
    ['five of a request that costs five', 'search', '35/40', 'remaining-on-refusal'],
  ])('may be less than it costs: %s', (_, operation, shown, code) => {
    const { code: said } = remainingInRange.judge(viewOf(one, operation, ['X-Used', shown]))
    expect(said).toBe(code)
  })

  it('may be nothing where the field is agreed for what is served alone', () => {
    const agreed = (on?: 'served') => ({
      ...one,
      headers: one.headers.map((field) => ({ ...field, ...(on && { on }) })),
    })
    const bare = (on?: 'served') => headersPresent.judge(viewOf(agreed(on), 'items', ['X-Other', '1'])).code
    expect([bare(), bare('served')]).toEqual(['rate-headers-missing', 'not-told'])
    const missing = (on?: 'served') => remainingInRange.judge(viewOf(agreed(on), 'items', ['X-Other', '1'])).facts
    expect([missing(), missing('served')]).toMatchObject([{ missing: ['200', '429'] }, { missing: ['200'] }])
  })

  it.each([
    ['nothing is left of the other', '"core";r=7;t=30, "hour";r=0;t=900', true],
    ['nothing is said of the other', '"core";r=7;t=30', true],
    ['something is left of either', '"core";r=7;t=30, "hour";r=9;t=900', false],
  ])('may be of another quota: %s', (_, shown, isOfAnother) => {
    const view = viewOf(two, 'items', ['RateLimit', shown])
    expect(mayBeOfAnother(view, { witness: { id: 'x1' }, operation: 'items' })).toBe(isOfAnother)
    expect(mayBeOfAnother(view, { witness: { ledger: 'burst-free', row: 1 }, operation: 'items' })).toBe(true)
  })
})
