import { describe, expect, it } from 'vitest'
import { buildApp, type ReferenceServerOptions } from './petstore-app.js'
import { heldClock } from './testing/held-clock.js'

const keys = [
  { plan: 'free', secret: 'free-key' },
  { plan: 'pro', secret: 'pro-key' },
] as const

const serve = (options: ReferenceServerOptions = {}) => {
  const clock = heldClock()
  const app = buildApp({ keys, clock, ...options })
  const ask = (method: 'GET' | 'PATCH' | 'HEAD' | 'POST', path: string, rest: object = {}) =>
    app.inject({ method, url: `/v1${path}`, headers: { authorization: 'Bearer free-key' }, ...rest })
  const patch = (path: string, payload?: string) =>
    ask('PATCH', path, {
      payload,
      headers: { authorization: 'Bearer free-key', 'content-type': 'application/json' },
    })
  return { app, ask, patch, clock }
}

const authorized = (authorization?: string) => ({ headers: authorization === undefined ? {} : { authorization } })

describe('the inventory', () => {
  it('lists every entry with all digits of its id', async () => {
    const answer = await serve().ask('GET', '/inventory')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json()).toHaveLength(20)
    expect(answer.body).toContain('{"petId":9007199254740995,"quantity":4,"status":"sold"}')
    expect(answer.body).toContain('"petId":9223372036854775807')
  })

  it('sets the quantity of one pet, digit for digit, and no other', async () => {
    const { ask, patch } = serve()
    const before = await ask('GET', '/inventory')
    const answer = await patch('/inventory/9007199254740995', '{"quantity":9007199254740993,"note":1}')
    expect(answer.body).toBe('{"petId":9007199254740995,"quantity":9007199254740993,"status":"sold"}')
    const after = await ask('GET', '/inventory')
    expect(after.body).toBe(before.body.replace('995,"quantity":4,', '995,"quantity":9007199254740993,'))
  })

  it.each([
    ['no body', undefined],
    ['an empty object', '{}'],
    ['no JSON', '{"quantity":'],
    ['no object', '[5]'],
    ['null', 'null'],
    ['a string', '{"quantity":"5"}'],
    ['a fraction', '{"quantity":5.5}'],
    ['a boolean', '{"quantity":true}'],
    ['null as quantity', '{"quantity":null}'],
    ['a list as quantity', '{"quantity":[5]}'],
    ['a quantity beyond int64', '{"quantity":9223372036854775808}'],
    ['an inherited quantity', '{"__proto__":{"quantity":5}}'],
    ['JSON nested too deeply', '['.repeat(30_000)],
  ])('answers 400 to %s, and changes nothing', async (_, body) => {
    const { ask, patch } = serve()
    const before = await ask('GET', '/inventory')
    const answer = await patch('/inventory/1', body)
    expect(answer.json()).toMatchObject({ code: 'bad_request', status: 400 })
    expect(answer.statusCode).toBe(400)
    expect((await ask('GET', '/inventory')).body).toBe(before.body)
  })

  it.each(['5', '5.0', '50e-1', '-1', '0'])('takes %s for an integer', async (quantity) => {
    expect((await serve().patch('/inventory/1', `{"quantity":${quantity}}`)).statusCode).toBe(200)
  })

  it.each([
    ['/inventory/999', 404],
    ['/inventory/-1', 404],
    ['/inventory/9223372036854775808', 400],
    ['/inventory/01', 400],
    ['/inventory/one', 400],
    ['/inventory/1.0', 400],
    ['/inventory/%zz', 400],
    ['/elsewhere', 404],
    ['/Inventory/1', 404],
  ])('answers a PATCH of %s with %i', async (path, status) => {
    const answer = await serve().patch(path, '{"quantity":1}')
    expect(answer.statusCode).toBe(status)
    expect(answer.json().status).toBe(status)
    expect(answer.headers['x-ratelimit-limit']).toBe('60')
  })

  it('marks the deprecated operation, and has orders', async () => {
    const { ask } = serve()
    const pet = await ask('GET', '/pets/1')
    expect(pet.headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' })
    expect((await ask('GET', '/store/orders')).json()).toEqual([])
  })

  it('answers HEAD without a body, a wrong method with 405, a body too large with 413', async () => {
    const { ask, patch } = serve()
    const head = await ask('HEAD', '/inventory')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const post = await ask('POST', '/inventory')
    expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD'])
    const large = await patch('/inventory/1', `{"quantity":${' '.repeat(70_000)}1}`)
    expect(large.json()).toMatchObject({ code: 'payload_too_large', status: 413 })
    expect(large.headers['x-ratelimit-limit']).toBe('60')
  })
})

describe('the key', () => {
  it.each(['Bearer free-key', 'bearer free-key', 'BEARER  free-key'])('is accepted as %j', async (authorization) => {
    expect((await serve().ask('GET', '/inventory', authorized(authorization))).statusCode).toBe(200)
  })

  it.each([
    undefined,
    'Bearer',
    'Bearer ',
    'Bearer\tfree-key',
    'Bearer free-ke',
    'Bearer free-key1',
    'Bearer free-key, Bearer free-key',
    'Bearer free-key x',
    'Bearer FREE-KEY',
    'Basic free-key',
    'free-key',
    'Bearer unknown',
  ])('is not accepted as %j, whatever else is wrong', async (authorization) => {
    const { ask } = serve()
    for (const path of ['/inventory/1', '/inventory/999', '/inventory/x', '/inventory/1?api_key=free-key']) {
      const answer = await ask('PATCH', path, { ...authorized(authorization), payload: `{"quan${' '.repeat(70_000)}` })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({ code: 'unauthorized', status: 401 })
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/)
      expect(answer.headers['x-ratelimit-limit']).toBe('600')
    }
  })

  it('is asked for on every operation, and on paths that do not exist', async () => {
    const { ask } = serve()
    for (const path of ['/inventory', '/pets/1', '/store/orders', '/elsewhere']) {
      expect((await ask('GET', path, authorized())).statusCode).toBe(401)
    }
  })
})

describe('the limit', () => {
  it('shows the usage on every answer, and refuses what is over it', async () => {
    const { ask } = serve()
    const statuses: number[] = []
    for (let left = 59; left >= 0; left -= 1) {
      const answer = await ask('GET', '/inventory')
      statuses.push(answer.statusCode)
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': '1767225661',
      })
    }
    expect(statuses).toEqual(statuses.map(() => 200))
    const refused = await ask('GET', '/inventory')
    expect(refused.json()).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      'cache-control': 'no-store',
      'x-ratelimit-remaining': '0',
    })
    expect((await ask('GET', '/inventory', authorized('Bearer pro-key'))).statusCode).toBe(200)
  })

  it('is there again once Retry-After is over, and not a millisecond earlier than the window says', async () => {
    const { ask, clock } = serve({ quotas: { free: { minute: 2, day: 100 } } })
    for (const atMs of [250, 260, 300]) {
      clock.ms = atMs
      await ask('GET', '/inventory')
    }
    clock.ms = 60_249
    expect((await ask('GET', '/inventory')).headers['retry-after']).toBe('1')
    clock.ms = 60_250
    expect((await ask('GET', '/inventory')).statusCode).toBe(200)
  })

  it('names the wait for the day where the day is spent, and what the minute refused costs no day', async () => {
    const { ask, clock } = serve({ quotas: { free: { minute: 2, day: 3 } }, timeScale: 10 })
    const statuses = []
    for (const _ of [1, 2, 3]) statuses.push((await ask('GET', '/inventory')).statusCode)
    clock.ms = 6_000
    const third = await ask('GET', '/inventory')
    expect(third.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' })
    const refused = await ask('GET', '/inventory')
    expect([...statuses, third.statusCode, refused.statusCode]).toEqual([200, 200, 429, 200, 429])
    expect(refused.headers).toMatchObject({ 'retry-after': '8634', 'x-ratelimit-limit': '3' })
  })

  it('bans a key that goes on and on, for a while that refused requests do not lengthen', async () => {
    const { ask, clock } = serve({
      quotas: { free: { minute: 1, day: 100 } },
      ban: { threshold: 3, lengthMs: 90_000 },
    })
    const statuses = []
    for (let sent = 0; sent < 6; sent += 1) statuses.push((await ask('GET', '/inventory')).statusCode)
    expect(statuses).toEqual([200, 429, 429, 429, 403, 403])
    clock.ms = 89_999
    const banned = await ask('GET', '/inventory')
    expect(banned.json()).toMatchObject({ code: 'banned', status: 403 })
    expect(banned.headers['retry-after']).toBe('1')
    clock.ms = 90_000
    expect((await ask('GET', '/inventory')).statusCode).toBe(200)
  })

  it('charges an address for what it asks without a valid key', async () => {
    const { ask } = serve({ anonymousPerMinute: 2 })
    const statuses = []
    for (const key of ['Bearer a', undefined, 'Bearer b']) {
      statuses.push((await ask('GET', '/inventory', authorized(key))).statusCode)
    }
    expect(statuses).toEqual([401, 401, 429])
    expect((await ask('GET', '/inventory')).statusCode).toBe(200)
  })
})

it('throws where a fault or a variation is unknown, or a key is no key', () => {
  expect(() => buildApp({ faults: ['no-such-fault'] })).toThrow('there is no fault named no-such-fault')
  expect(() => buildApp({ variations: ['x'] })).toThrow('there is no variation named x')
  expect(() => buildApp({ keys: [{ plan: 'free', secret: 'a b' }] })).toThrow('key 1 (free)')
})
