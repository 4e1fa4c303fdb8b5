import { describe, expect, it } from 'vitest'
import type { ApiContract, HeaderField } from '../src/contract/api-contract.js'
import { askContract } from './testing/ask-contract.js'
import { quotaOf } from './testing/keystone-contracts.js'

const contract = (field: Pick<HeaderField, 'is' | 'as'>): ApiContract => ({
  name: 'two windows',
  credentials: { free: { scheme: 'none' } },
  requests: { items: { method: 'GET', path: '/items', headers: {}, expect: [] } },
  headers: [{ name: 'X-Field', level: 'must', ...field }],
  retryAfter: null,
  refusals: [],
  quotas: [
    quotaOf({ id: 'hour', limit: { free: 60 }, windowMs: 3_600_000, requests: ['items'], policy: 'per "hour"' }),
    quotaOf({ id: 'minute', limit: { free: 5 }, windowMs: 60_000, requests: ['items'] }),
  ],
})

/** The clock is held 300 ms after the begin of 2026, so that the minute ends 59.7 s later. */
describe('a field of a dialect', () => {
  it.each<[Pick<HeaderField, 'is' | 'as'>, string, string]>([
    [{ is: 'limit' }, '5', '5'],
    [{ is: 'remaining' }, '4', '0'],
    [{ is: 'used' }, '1', '5'],
    [{ is: 'used/limit' }, '1/5', '5/5'],
    [{ is: 'reset', as: 'epoch-s' }, '1767225660', '1767225660'],
    [{ is: 'reset', as: 'epoch-ms' }, '1767225660000', '1767225660000'],
    [{ is: 'reset', as: 'delta-s' }, '60', '50'],
    [{ is: 'reset', as: 'delta-ms' }, '59700', '49700'],
    [{ is: 'reset', as: 'duration' }, '59.7s', '49.7s'],
    [{ is: 'reset', as: 'iso-8601' }, '2026-01-01T00:01:00.000Z', '2026-01-01T00:01:00.000Z'],
    [{ is: 'reset', as: 'http-date' }, 'Thu, 01 Jan 2026 00:01:00 GMT', 'Thu, 01 Jan 2026 00:01:00 GMT'],
    [{ is: 'policy' }, '60;w=3600, 5;w=60', '60;w=3600, 5;w=60'],
    [{ is: 'draft-07-policy' }, '60;w=3600, 5;w=60', '60;w=3600, 5;w=60'],
    [{ is: 'draft-07' }, 'limit=5, remaining=4, reset=60', 'limit=5, remaining=0, reset=50'],
    [
      { is: 'draft-11-policy' },
      '"per \\"hour\\"";q=60;w=3600, "minute";q=5;w=60',
      '"per \\"hour\\"";q=60;w=3600, "minute";q=5;w=60',
    ],
    [
      { is: 'draft-11' },
      '"per \\"hour\\"";r=59;t=3600, "minute";r=4;t=60',
      '"per \\"hour\\"";r=55;t=3590, "minute";r=0;t=50',
    ],
  ])('that is %o shows the quota that is nearest to its end, or all', async (field, first, refused) => {
    const { ask, times, clock } = askContract(contract(field))
    expect((await ask()).headers['x-field']).toBe(first)
    clock.ms = 10_000
    const last = (await times(5))[4]
    expect([last.status, last.headers['x-field']]).toEqual([429, refused])
  })

  it.each([
    [3_725_000, '1h2m5s'],
    [360_000, '6m0s'],
    [3_600_000, '1h0m0s'],
    [20, '0.02s'],
  ])('writes %i ms as a duration of %s', async (windowMs, text) => {
    const { quotas, ...rest } = contract({ is: 'reset', as: 'duration' })
    const { ask } = askContract({ ...rest, quotas: [{ ...quotas[0], windowMs }] }, { algorithm: 'sliding-log' })
    expect((await ask()).headers['x-field']).toBe(text)
  })

  it('is on no refusal where it is agreed for what is served', async () => {
    const { headers, ...rest } = contract({ is: 'limit' })
    const name = 'X-Wait'
    const { times } = askContract({
      ...rest,
      headers: [{ ...headers[0], on: 'served' }],
      retryAfter: { name, as: ['seconds'], level: 'must' },
    })
    const [served, refused] = (await times(6)).slice(-2)
    expect([served.headers['x-field'], refused.headers['x-field'], refused.headers['x-wait']]).toEqual([
      '5',
      undefined,
      '60',
    ])
  })

  it('is there only where a quota is', async () => {
    const { quotas, ...rest } = contract({ is: 'limit' })
    const { ask } = askContract({ ...rest, quotas: quotas.map((quota) => ({ ...quota, limit: {} })) })
    expect((await ask()).headers).not.toHaveProperty('x-field')
  })
})
