import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { algorithmNames } from '../limiters/algorithms.js'
import { alone } from '../testing/alone.js'
import { type RedisServer, redisIsMissing, startRedis } from '../testing/redis-server.js'
import { connectRedis } from './redis-store.js'
import type { SharedStore } from './store.js'

// Long enough that nothing is gone while a crowded machine gets to Redis.
const windowMs = 600_000
const password = 'pass-Vb7Nm2'
const ban = { threshold: 1, withinMs: 1.5 * windowMs, lengthMs: 2 * windowMs }
const windows = (windowMs: number) => [
  { name: 'minute', limit: 2, windowMs },
  { name: 'day', limit: 3, windowMs: windowMs * 2 },
]

describe.skipIf(redisIsMissing)('what is kept on Redis', () => {
  let redis: RedisServer
  const opened: SharedStore[] = []
  beforeAll(async () => {
    redis = await startRedis(['--requirepass', password])
  })
  afterAll(async () => {
    for (const store of opened) store.close()
    await redis.stop()
  })

  const storeOf = async (scope: string, algorithm: (typeof algorithmNames)[number] = 'gcra') => {
    const url = `redis://:${password}@127.0.0.1:${redis.port}/0`
    const connection = await connectRedis({ url, prefix: 'here:', timeoutMs: windowMs / 2, clock: systemClock })
    const store = connection.open({ scope, algorithmOf: () => algorithm })
    opened.push(store)
    return store
  }

  it.each(algorithmNames)('is gone by itself when it matters no more, by %s', async (algorithm) => {
    const store = await storeOf(algorithm, algorithm)
    for (let sent = 0; sent < 5; sent += 1)
      await store.take(alone({ id: 'free-1', windows: windows(windowMs), ban }), 0)
    await store.peek(alone({ id: 'pro-1', windows: windows(windowMs) }), 0)
    await store.refund(alone({ id: 'free-1', windows: windows(windowMs), ban }), 0)
    const keys = await redis.client.keys(`here:counts:${algorithm}:*`)
    expect(keys.length).toBeGreaterThanOrEqual(2)
    // What matters longest: the day, the ban and the row of refusals, or the hundred windows of a grid.
    const longestMs = algorithm === 'interval-refill' ? 200 * windowMs : 4 * windowMs
    for (const key of keys) {
      const leftMs = await redis.client.pttl(key)
      expect(leftMs).toBeGreaterThan(0)
      expect(leftMs).toBeLessThanOrEqual(longestMs + 1_000)
    }
  })

  it('begins with the prefix, and holds no secret', async () => {
    await (await storeOf('petstore')).take(alone({ id: 'free-1', windows: windows(windowMs) }), 0)
    const keys = await redis.client.keys('*')
    expect(keys.filter((key) => !key.startsWith('here:counts:'))).toEqual([])
    expect(keys).toContain('here:counts:petstore:free-1')
  })

  it('is counted apart for another service, another window and another limiter', async () => {
    const subject = { id: 'apart', windows: windows(windowMs) }
    const left = async (store: SharedStore, minuteMs = windowMs) =>
      (await store.take(alone({ ...subject, windows: windows(minuteMs) }), 0)).windows[0].remaining
    expect(await left(await storeOf('one'))).toBe(1)
    expect(await left(await storeOf('one'))).toBe(0)
    expect(await left(await storeOf('other'))).toBe(1)
    expect(await left(await storeOf('one'), 6_000)).toBe(1)
    expect(await left(await storeOf('one', 'fixed-window-first-request'))).toBe(1)
  })

  it('is found again by a script that Redis has forgotten', async () => {
    const store = await storeOf('forgotten')
    const subject = { id: 'free-1', windows: windows(windowMs) }
    await store.take(alone(subject), 0)
    await redis.client.script('FLUSH')
    expect((await store.take(alone(subject), 0)).windows[0].remaining).toBe(0)
  })

  it('does not count what Redis came to when the answer was given up', async () => {
    const url = `redis://:${password}@127.0.0.1:${redis.port}`
    const connection = await connectRedis({ url, prefix: 'here:', timeoutMs: 200, clock: systemClock })
    const store = connection.open({ scope: 'paused', algorithmOf: () => 'gcra' })
    opened.push(store)
    const subject = { id: 'free-1', windows: [{ name: 'minute', limit: 60, windowMs: 3_600_000 }] }
    redis.pause()
    const whilePaused = await Promise.all(Array.from({ length: 10 }, () => store.take(alone(subject), 0)))
    redis.resume()
    expect(whilePaused.map(({ outcome }) => outcome)).toEqual(Array(10).fill('unavailable'))
    // On the same connection, so that this comes after those.
    const asked = async () => {
      for (;;) {
        const ruling = await store.peek(alone(subject), 0)
        if (!ruling.uncounted) return ruling
      }
    }
    expect((await asked()).windows[0].remaining).toBe(60)
  })
})
