import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelName } from '../../src/contract/limiter-models.js'
import { algorithmNames, algorithms } from '../limiters/algorithms.js'
import { alone } from '../testing/alone.js'
import { givenTimeStore } from '../testing/given-time-store.js'
import { type RedisServer, redisIsMissing, startRedis } from '../testing/redis-server.js'
import { nearestToExhaustion, type Ruling, type Subject } from './ruling.js'
import { createMemoryStore, type LimiterStore } from './store.js'

/** A multiple of both windows, so that clock-aligned ones start here. */
const epochMs = 1_767_225_600_000
const minute = (limit: number) => ({ name: 'minute', limit, windowMs: 60_000 })
const day = (limit: number) => ({ name: 'day', limit, windowMs: 86_400_000 })
const key = (minuteLimit: number, dayLimit: number, ban?: Subject['ban']): Subject => ({
  id: 'key',
  windows: [minute(minuteLimit), day(dayLimit)],
  ban,
})
const remaining = (ruling: Ruling) => ruling.windows.map((state) => state.remaining)

let redis: RedisServer | undefined
let opened = 0
beforeAll(async () => {
  if (!redisIsMissing) redis = await startRedis()
})
afterAll(() => redis?.stop())

const inMemory = (algorithm: ModelName): LimiterStore => createMemoryStore({ openMeter: algorithms[algorithm] })
const onRedis = (algorithm: ModelName): LimiterStore => {
  if (!redis) throw new Error('there is no Redis')
  opened += 1
  return givenTimeStore(redis.client, () => algorithm, `opened-${opened}:`)
}

const stores = [
  { name: 'memory', open: inMemory, missing: false },
  { name: 'Redis', open: onRedis, missing: redisIsMissing },
]

for (const { name, open, missing } of stores) {
  /** A store of its own, and what it is asked. */
  const storeOf = (algorithm: ModelName) => {
    const store = open(algorithm)
    const take = async (subject: Subject, atMs: number) => store.take(alone(subject), epochMs + atMs)
    /** Which of these moments were admitted. */
    const play = async (limit: number, momentsMs: readonly number[]) => {
      const subject = { id: 'played', windows: [minute(limit)] }
      const rulings = await Promise.all(momentsMs.map((ms) => take(subject, ms)))
      return momentsMs.filter((_, index) => rulings[index].outcome === 'admitted')
    }
    return { store, take, play }
  }
  const at = (ms: number, times: number) => Array.from({ length: times }, () => ms)

  describe.skipIf(missing).each(algorithmNames)(`a store in ${name} that counts by %s`, (algorithm) => {
    it.each([1, 2, 60, 1000])('admits a burst of exactly %i on a fresh window', async (limit) => {
      expect(await storeOf(algorithm).play(limit, at(17_000, limit * 2))).toHaveLength(limit)
    })

    it('gives quota back when its kind does', async () => {
      const first = {
        'fixed-window': 43_000,
        'fixed-window-first-request': 60_000,
        'sliding-log': 60_000,
        'sliding-counter': 44_000,
        'token-bucket': 1_000,
        gcra: 1_000,
        'interval-refill': 60_000,
        'interval-refill-idle': 60_000,
      }
      const probes = Array.from({ length: 61 }, (_, second) => 17_000 + (second + 1) * 1_000)
      const admitted = (await storeOf(algorithm).play(60, [...at(17_000, 60), ...probes])).slice(60)
      expect(admitted[0] - 17_000).toBe(first[algorithm])
    })

    it('gains nothing from a clock that steps back', async () => {
      const { play } = storeOf(algorithm)
      expect(await play(5, [...at(30_000, 5), 10_000, -70_000])).toEqual(at(30_000, 5))
    })

    it('counts in both windows or in none', async () => {
      const { take } = storeOf(algorithm)
      const subject = key(2, 3)
      expect(remaining(await take(subject, 0))).toEqual([1, 2])
      expect(remaining(await take(subject, 0))).toEqual([0, 1])
      const refused = await take(subject, 0)
      expect(refused.outcome).toBe('refused')
      expect(remaining(refused)).toEqual([0, 1])
      expect(remaining(await take(subject, 120_000))).toEqual([1, 0])
      expect(remaining(await take(subject, 120_000))).toEqual([1, 0])
    })

    it('admits whoever stays silent for the wait that was named, for the minute and for the day', async () => {
      const { take } = storeOf(algorithm)
      const subject = key(3, 5)
      let atMs = 500
      const waits: number[] = []
      for (let sent = 0; sent < 30; sent += 1) {
        const ruling = await take(subject, atMs)
        if (ruling.outcome === 'admitted') continue
        waits.push(ruling.retryAfterMs)
        atMs += ruling.retryAfterMs
        expect((await take(subject, atMs + 0.001)).outcome).toBe('admitted')
      }
      expect(Math.max(...waits)).toBeGreaterThan(60_000)
    })

    it('counts nothing when it is only asked, and gives back in both windows', async () => {
      const { store, take } = storeOf(algorithm)
      const subject = key(2, 3)
      await take(subject, 0)
      expect(remaining(await store.peek(alone(subject), epochMs))).toEqual([1, 2])
      expect(remaining(await store.refund(alone(subject), epochMs))).toEqual([2, 3])
    })
  })

  describe.skipIf(missing)(`a store in ${name}`, () => {
    it('starts a row of refusals anew after an admission, and after a window', async () => {
      const { take } = storeOf('fixed-window-first-request')
      const subject = key(1, 100, { threshold: 2, withinMs: 60_000, lengthMs: 1_000 })
      const moments = [0, 0, 0, 60_000, 60_000, 60_000, 60_000, 60_500, 61_000]
      const rulings = await Promise.all(moments.map((atMs) => take(subject, atMs)))
      expect(rulings.map(({ outcome }) => outcome).join()).toBe(
        'admitted,refused,refused,admitted,refused,refused,banned,banned,refused',
      )
    })

    it('shows the window with the smaller share left, and of those that refused the longer one', async () => {
      const { take } = storeOf('fixed-window-first-request')
      const shown = async (subject: Subject, atMs: number) => nearestToExhaustion(await take(subject, atMs)).window.name
      const subject = key(4, 5)
      expect(await Promise.all(at(0, 5).map((ms) => shown(subject, ms)))).toEqual(Array(5).fill('minute'))
      expect(await shown(subject, 60_000)).toBe('day')
      expect(await shown(subject, 60_000)).toBe('day')
      const other = { ...key(1, 1), id: 'other' }
      await take(other, 0)
      expect(await shown(other, 0)).toBe('day')
    })
  })
}
