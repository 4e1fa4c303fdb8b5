import { describe, expect, it } from 'vitest'
import type { ApiContract, CredentialSpec, QuotaSpec } from '../src/contract/api-contract.js'
import { modelNames } from '../src/contract/limiter-models.js'
import { createContractApp } from './contract-app.js'
import { askContract, type Seen } from './testing/ask-contract.js'
import { blocking, leakyBucket, quotaOf, twoPolicies } from './testing/keystone-contracts.js'

const statuses = (answers: readonly Seen[]) => answers.map(({ status }) => status)
const admitted = (answers: readonly Seen[]) => answers.filter(({ status }) => status === 200).length

/** A plain contract: 3 a minute for each of two credentials, over two probes. */
const plain: ApiContract = {
  name: 'plain',
  credentials: { free: { scheme: 'bearer' }, pro: { scheme: 'bearer' } },
  requests: {
    items: { method: 'GET', path: '/items?limit=1', headers: {}, expect: [200] },
    orders: { method: 'POST', path: '/orders', headers: {}, expect: [201, 200] },
  },
  headers: [{ name: 'X-Left', is: 'remaining', level: 'must' }],
  retryAfter: { as: ['seconds'], level: 'must' },
  refusals: [],
  quotas: [quotaOf({ id: 'core', limit: { free: 3, pro: 5 }, windowMs: 60_000, requests: ['items', 'orders'] })],
}
const plainWith = (quota: Partial<QuotaSpec>): ApiContract => ({ ...plain, quotas: [{ ...plain.quotas[0], ...quota }] })

describe('a server that keeps a contract', () => {
  it('answers each probe with its status, and what is none with 404 that counts nowhere', async () => {
    const { ask, send } = askContract(plain)
    const right = { authorization: 'Bearer key-of-free' }
    expect(await ask('items')).toMatchObject({ status: 200, body: '{"probe":"items"}' })
    expect(await ask('orders')).toMatchObject({ status: 201, body: '{"probe":"orders"}' })
    expect((await send('GET', '/elsewhere', right)).status).toBe(404)
    expect((await send('GET', '/orders', right)).status).toBe(404)
    expect((await send('GET', '//items', right)).status).toBe(404)
    expect((await ask('items')).headers['x-left']).toBe('0')
  })

  it.each([
    ['/items?limit=1&page=2', 'items'],
    ['/items', 'items'],
    ['/items?kind=new', 'new'],
    ['/items?kind=new&limit=1&page=2', 'new'],
  ])('tells probes of one path apart by their query: %s is %s', async (url, probe) => {
    const news = { method: 'GET', path: '/items?limit=1&kind=new', headers: {}, expect: [] }
    const { send } = askContract({ ...plain, requests: { ...plain.requests, new: news } })
    expect((await send('GET', url, { authorization: 'Bearer key-of-free' })).body).toBe(`{"probe":"${probe}"}`)
  })

  it.each<[string, CredentialSpec, Record<string, string>, string, number]>([
    ['bearer', { scheme: 'bearer' }, { authorization: 'bearer key-of-free' }, '', 200],
    ['bearer', { scheme: 'bearer' }, { authorization: 'Bearer key-of-fre' }, '', 401],
    ['bearer', { scheme: 'bearer' }, { authorization: 'Basic key-of-free' }, '', 401],
    ['bearer', { scheme: 'bearer' }, {}, '?key=key-of-free', 401],
    ['basic', { scheme: 'basic' }, { authorization: `Basic ${btoa('free:a1B2c3')}` }, '', 200],
    ['basic', { scheme: 'basic' }, { authorization: `Basic ${btoa('free:other')}` }, '', 401],
    ['header', { scheme: 'header', name: 'X-Key' }, { 'x-key': 'key-of-free' }, '', 200],
    ['header', { scheme: 'header', name: 'X-Key' }, { 'x-key': 'wrong' }, '', 401],
    ['header', { scheme: 'header', name: 'X-Key' }, {}, '', 401],
    ['query', { scheme: 'query', name: 'key' }, {}, '?limit=1&key=key-of-free', 200],
    ['query', { scheme: 'query', name: 'key' }, {}, '?key=', 401],
    ['cookie', { scheme: 'cookie', name: 'sid' }, { cookie: 'a=b; sid=key-of-free' }, '', 200],
    ['cookie', { scheme: 'cookie', name: 'sid' }, { cookie: 'a=b; sid=x' }, '', 401],
    ['none', { scheme: 'none' }, {}, '', 200],
    ['none', { scheme: 'none' }, { authorization: 'Bearer x' }, '', 401],
  ])('reads a credential of the scheme %s (%o, %o%s: %i)', async (_, free, headers, query, status) => {
    const { send } = askContract({ ...plain, credentials: { free } })
    const answer = await send('GET', `/items${query}`, headers)
    expect(answer.status).toBe(status)
    if (status === 401)
      expect([answer.headers['www-authenticate'], answer.headers['x-left']]).toEqual([expect.any(String), undefined])
  })

  it.each([
    [{ free: 'a' }, 'the credential pro has no secret'],
    [{ free: 'a', pro: 'a' }, 'the credentials free and pro have the same secret'],
  ])('does not begin with the secrets %o', (secrets, message) => {
    expect(() => createContractApp(plain, { secrets })).toThrow(message)
  })
})

describe('the quotas of a contract', () => {
  it.each(modelNames)('are kept by %s', async (algorithm) => {
    const { ask, times, clock } = askContract(plain, { algorithm })
    expect(admitted(await times(5))).toBe(3)
    const [refusal] = await times(1)
    expect(refusal).toMatchObject({ status: 429, headers: { 'x-left': '0', 'cache-control': 'no-store' } })
    clock.ms += Number(refusal.headers['retry-after']) * 1_000
    expect((await ask()).status).toBe(200)
  })

  it('are counted by the first of the models, unless another is asked for', async () => {
    const logged = plainWith({ models: ['sliding-log', 'fixed-window'] })
    const waits = async (algorithm?: 'fixed-window') => {
      const { times, clock } = askContract(logged, { algorithm })
      clock.ms = 20_000
      return (await times(4))[3].headers['retry-after']
    }
    expect([await waits(), await waits('fixed-window')]).toEqual(['60', '40'])
  })

  it('last as long as the time scale says', async () => {
    const { times, clock } = askContract(plain, { timeScale: 10 })
    expect(admitted(await times(4))).toBe(3)
    clock.ms = 6_000
    expect(admitted(await times(4))).toBe(3)
  })

  it.each<[string, QuotaSpec['by'], QuotaSpec['limit'], number[]]>([
    ['credential', 'credential', { free: 3, pro: 5 }, [3, 0, 5]],
    ['credential and probe', 'credential+request', { free: 3, pro: 5 }, [3, 3, 5]],
    ['address', 'address', { free: 3, pro: 3 }, [3, 0, 0]],
    ['a credential that is not named', 'credential', { free: 3 }, [3, 0, 6]],
  ])('are counted by %s', async (_, by, limit, expected) => {
    const { times } = askContract(plainWith({ by, limit }))
    const served = async (probe: string, credential: string) =>
      (await times(6, probe, credential)).filter(({ status }) => status < 300).length
    expect([await served('items', 'free'), await served('orders', 'free'), await served('items', 'pro')]).toEqual(
      expected,
    )
  })

  it('are spent by what a probe costs, and refuse what they have too little for', async () => {
    const { times, ask, clock } = askContract(plainWith({ limit: { free: 7, pro: 7 }, cost: { orders: 3 } }))
    expect(statuses(await times(3, 'orders'))).toEqual([201, 201, 429])
    expect(await ask('items')).toMatchObject({ status: 200, headers: { 'x-left': '0' } })
    clock.ms = 60_000
    expect((await ask('orders')).headers['x-left']).toBe('4')
  })

  it('hold what fits into the bucket, and give it back at the rate of the limit', async () => {
    const { times, clock } = askContract(leakyBucket)
    const answers = await times(42)
    expect(admitted(answers)).toBe(40)
    expect(answers[0].headers['x-shop-api-call-limit']).toBe('1/40')
    expect(answers[41].headers).toMatchObject({ 'x-shop-api-call-limit': '40/40', 'retry-after': '1' })
    clock.ms = 5_000
    expect(admitted(await times(20))).toBe(10)
    clock.ms = 10_000
    expect(statuses(await times(3, 'search'))).toEqual([200, 200, 429])
  })

  it('let a request pass all together, or refuse it and spend none', async () => {
    const { ask, times, clock } = askContract(twoPolicies)
    for (const ms of [0, 2_000, 4_000]) {
      clock.ms = ms
      expect(admitted(await times(20))).toBe(10)
    }
    expect((await ask()).headers.ratelimit).toBe('"burst";r=0;t=2, "sustained";r=10;t=8')
    clock.ms = 6_000
    expect(admitted(await times(20))).toBe(10)
    clock.ms = 8_000
    const refusal = await ask()
    expect(refusal).toMatchObject({ status: 429, headers: { ratelimit: '"burst";r=10;t=2, "sustained";r=0;t=4' } })
    expect(refusal.headers['retry-after']).toBe('4')
  })

  it('refuse with the status, the headers and the text of the first rule', async () => {
    const when = { 'x-left': '0', 'x-why': 'quota' }
    const { times } = askContract({
      ...plain,
      refusals: [{ is: 'quota', status: [403, 429], when, body: '"ok":false' }],
    })
    const refusal = (await times(4))[3]
    expect(refusal).toMatchObject({ status: 403, headers: when, body: '{"ok":false}' })
    expect(refusal.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['slow down', '{"message":"slow down"}'],
    ['{"error":"slow_down"}', '{"error":"slow_down"}'],
    ['<b>"slow"</b>', '<b>"slow"</b>'],
  ])('refuse with a body that has %s in it as it stands', async (body, whole) => {
    const { times } = askContract({ ...plain, refusals: [{ is: 'quota', status: [200], when: {}, body }] })
    expect((await times(4))[3]).toMatchObject({ status: 200, body: whole })
  })
})

describe('a block of a fixed time', () => {
  const banning: ApiContract = {
    ...blocking,
    refusals: [
      { is: 'ban', status: [403], when: {}, body: 'banned', lastsMs: 10_000 },
      { is: 'quota', status: [429], when: {} },
    ],
  }

  it('begins with the first request that is one too many where the quota says so, and is not lengthened', async () => {
    const { times, ask, clock } = askContract(blocking)
    const [refusal] = (await times(11)).slice(10)
    expect(refusal).toMatchObject({ status: 403, headers: { 'retry-after': '10', 'x-ratelimit-remaining': '0' } })
    expect(refusal.body).toContain('temporarily blocked')
    clock.ms = 9_999
    expect(await ask()).toMatchObject({ status: 403, headers: { 'retry-after': '1' } })
    expect((await ask('items', 'pro')).status).toBe(200)
    clock.ms = 10_000
    expect((await ask()).status).toBe(200)
  })

  it.each([
    ['as many refusals as the limit', {}, 10],
    ['as many as are asked for', { blockAfter: 3 }, 3],
    ['none', { blockAfter: 0 }, 0],
  ])('begins after %s where it is a ban, and is answered by its rule', async (_, options, refused) => {
    const answers = await askContract(banning, options).times(10 + refused + 2)
    expect(statuses(answers)).toEqual([...Array(10).fill(200), ...Array(refused).fill(429), 403, 403])
    expect(answers[10 + refused].headers['retry-after']).toBe('10')
  })

  it('never begins where the contract says nothing of how long it lasts', async () => {
    const refusals: ApiContract['refusals'] = [
      { is: 'ban', status: [403], when: {} },
      { is: 'quota', status: [429], when: {} },
    ]
    expect(statuses(await askContract({ ...plain, refusals }, { blockAfter: 0 }).times(20)).slice(3)).toEqual(
      Array(17).fill(429),
    )
  })
})
