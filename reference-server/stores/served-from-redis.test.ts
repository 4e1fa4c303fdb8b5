import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { algorithmNames } from '../limiters/algorithms.js'
import { buildApp, type ReferenceServerOptions } from '../petstore-app.js'
import { askContract } from '../testing/ask-contract.js'
import { blocking, leakyBucket, twoPolicies } from '../testing/keystone-contracts.js'
import { type RedisServer, redisIsMissing, startRedis } from '../testing/redis-server.js'
import { connectRedis } from './redis-store.js'
import type { StoreConnection, StoreFailure } from './store.js'

const limit = 40
const keys = [
  { plan: 'enterprise', secret: 'enterprise-Gh3Jk9' },
  { plan: 'free', secret: 'free-Pq8Rs2' },
] as const
const quotas = { enterprise: { minute: limit, day: 100_000 } }

describe.skipIf(redisIsMissing)('servers that count on Redis', () => {
  let redis: RedisServer
  const connections: StoreConnection[] = []
  let scopes = 0
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    for (const connection of connections) connection.close()
    await redis.stop()
  })

  const connected = async (prefix: string, failure?: StoreFailure): Promise<StoreConnection> => {
    const connection = await connectRedis({ url: redis.url, prefix, failure, clock: systemClock, timeoutMs: 20_000 })
    connections.push(connection)
    return connection
  }
  const fresh = () => {
    scopes += 1
    return `served-${scopes}:`
  }
  const petstore = async (prefix: string, options: ReferenceServerOptions = {}, failure?: StoreFailure) => {
    const store = await connected(prefix, failure)
    const app = buildApp({ keys, quotas, store, timeScale: 0.01, ...options })
    return {
      app,
      ask: (secret: string = keys[0].secret) =>
        app.inject({ method: 'GET', url: '/v1/inventory', headers: { authorization: `Bearer ${secret}` } }),
    }
  }

  it.each(algorithmNames)('admit the limit together, and not one more, by %s', async (algorithm) => {
    const prefix = fresh()
    // Windows of a hundred minutes: none ends, and no token comes, while this is played.
    const servers = await Promise.all(['a', 'b', 'c', 'd'].map(() => petstore(prefix, { algorithm })))
    const answers = await Promise.all(Array.from({ length: 4 * limit }, (_, index) => servers[index % 4].ask()))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3 * limit)
    const shown = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(shown.filter((left) => left > 0).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: limit - 1 }, (_, index) => index + 1),
    )
  })

  it('name the same key alike, whatever the order of their flags', async () => {
    const prefix = fresh()
    const [one, other] = [
      await petstore(prefix, { keys: [...keys, { plan: 'free', secret: 'free-second-Xy1' }] }),
      await petstore(prefix, { keys: [{ plan: 'free', secret: 'free-second-Xy1' }, ...keys.toReversed()] }),
    ]
    const left = async ({ ask }: typeof one, secret: string) => (await ask(secret)).headers['x-ratelimit-remaining']
    expect(await left(one, 'free-Pq8Rs2')).toBe('59')
    expect(await left(other, 'free-Pq8Rs2')).toBe('58')
    expect(await left(other, 'free-second-Xy1')).toBe('59')
    expect(await left(one, 'free-second-Xy1')).toBe('58')
  })

  it('count all quotas of a request or none, with what it costs, for a contract', async () => {
    const store = await connected(fresh())
    const slow = { store, timeScale: 0.001 }
    const [one, other] = [askContract(twoPolicies, slow), askContract(twoPolicies, slow)]
    const answers = await Promise.all([...Array(24).keys()].map((sent) => (sent % 2 ? one : other).ask()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const last = await one.ask()
    expect([last.status, last.headers.ratelimit]).toEqual([429, expect.stringMatching(/"burst";r=0.*"sustained";r=30/)])
    const bucket = askContract(leakyBucket, slow)
    expect((await bucket.ask('search')).headers['x-shop-api-call-limit']).toBe('5/40')
    expect((await bucket.ask('orders')).headers['x-shop-api-call-limit']).toBe('6/40')
  })

  it('block whoever another one has refused, for a contract', async () => {
    const store = await connected(fresh())
    const slow = { store, timeScale: 0.001 }
    await askContract(blocking, slow).times(11)
    const answer = await askContract(blocking, slow).ask()
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('temporarily blocked')])
    // The moments are those of Redis, not those of the clock of the test.
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(9_000)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(10_000)
  })

  it.each([
    ['fault', 'nodes-count-alone'],
    ['fault', 'check-then-increment'],
    ['variation', 'clock-ahead'],
  ])('refuse the %s %s, which counts in memory', async (kind, id) => {
    const departed = { [`${kind}s`]: [id] }
    await expect(petstore(fresh(), departed)).rejects.toThrow(`--${kind} ${id} counts in a way of its own`)
    const store = await connected(fresh())
    expect(() => askContract(twoPolicies, { store, ...departed })).toThrow('leave out --store')
  })

  it('still break the interface as other faults ask', async () => {
    const { ask } = await petstore(fresh(), { faults: ['retry-after-missing', 'limit-plus-one'] })
    const answers = await Promise.all(Array.from({ length: 62 }, () => ask('free-Pq8Rs2')))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(61)
    expect(answers.find(({ statusCode }) => statusCode === 429)?.headers).not.toHaveProperty('retry-after')
  })

  it('say so while Redis is gone, and count on when it is back', async () => {
    const prefix = fresh()
    const [closed, open] = [await petstore(prefix), await petstore(prefix, {}, 'open')]
    const contract = askContract(twoPolicies, { store: await connected(prefix) })
    await closed.ask()
    await redis.kill()
    const refused = await closed.ask()
    expect([refused.statusCode, refused.json()]).toMatchObject([503, { code: 'unavailable', status: 503 }])
    expect(refused.headers).toMatchObject({ 'x-store': 'unavailable', 'x-ratelimit-remaining': '0' })
    const served = await open.ask()
    expect(served.statusCode).toBe(200)
    expect(served.headers).toMatchObject({ 'x-store': 'unavailable', 'x-ratelimit-remaining': String(limit) })
    expect(await contract.ask()).toMatchObject({ status: 503, headers: { 'x-store': 'unavailable' } })

    await redis.restart()
    const back = async (ask: () => Promise<{ headers: object }>) => {
      for (;;) {
        const answer = await ask()
        if (!('x-store' in answer.headers)) return answer
        await nextTurn()
      }
    }
    // It kept nothing in files: it counts from the beginning.
    expect((await back(closed.ask)).headers).toMatchObject({ 'x-ratelimit-remaining': String(limit - 1) })
    expect((await back(open.ask)).headers).toMatchObject({ 'x-ratelimit-remaining': String(limit - 2) })
    expect(await back(contract.ask)).toMatchObject({ status: 200 })
  })
})
