import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelName } from '../../src/contract/limiter-models.js'
import { algorithmNames, algorithms } from '../limiters/algorithms.js'
import { alone } from '../testing/alone.js'
import { givenTimeStore } from '../testing/given-time-store.js'
import { type RedisServer, redisIsMissing, startRedis } from '../testing/redis-server.js'
import type { Ruling, Subject } from './ruling.js'
import { createMemoryStore } from './store.js'

const epochMs = 1_767_225_600_000

/** Something that is asked of a store, so long after what was asked before. */
interface Asked {
  readonly act: 'take' | 'peek' | 'refund'
  readonly afterMs: number
  readonly whom: number
  readonly cost: number
}

const asked = fc.record({
  act: fc.constantFrom('take' as const, 'take' as const, 'take' as const, 'peek' as const, 'refund' as const),
  // A clock that steps back is among them.
  afterMs: fc.oneof(
    fc.constant(0),
    fc.nat(50),
    fc.nat(20_000),
    fc.nat(200_000),
    fc.integer({ min: -30_000, max: 0 }),
    fc.double({ min: 0, max: 90_000, noNaN: true }),
  ),
  whom: fc.nat(2),
  cost: fc.integer({ min: 1, max: 3 }),
})

const limits = fc.integer({ min: 3, max: 12 })
const lengths = fc.constantFrom(60_000, 600, 60_000 / 7)

describe.skipIf(redisIsMissing)('the store on Redis', { timeout: 120_000 }, () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  let played = 0
  /** Plays it on both stores at the same moments: what each answered. */
  const playBoth = async (
    algorithmOf: (name: string) => ModelName,
    subjects: readonly Subject[],
    steps: readonly Asked[],
  ): Promise<[readonly Ruling[], readonly Ruling[]]> => {
    played += 1
    const shared = givenTimeStore(redis.client, algorithmOf, `played-${played}:`)
    const memory = createMemoryStore({
      openMeter: (window, nowMs) => algorithms[algorithmOf(window.name)](window, nowMs),
    })
    let nowMs = epochMs
    // The store in memory forgets old subjects when new ones come, which may show where the clock steps back.
    for (const subject of subjects) memory.peek(alone(subject), nowMs)
    await Promise.all(subjects.map((subject) => shared.peek(alone(subject), nowMs)))
    const both = async ({ act, afterMs, whom, cost }: Asked): Promise<[Ruling, Ruling]> => {
      nowMs += afterMs
      const subject = subjects[whom % subjects.length]
      const own = alone(subject)
      if (act !== 'take') return [memory[act](own, nowMs) as Ruling, await shared[act](own, nowMs)]
      // Some requests are charged to all at once.
      const charges = (whom === 2 ? subjects : [subject]).map((each) => ({ subject: each, cost }))
      return [memory.take(charges, nowMs) as Ruling, await shared.take(charges, nowMs)]
    }
    const pairs: [Ruling, Ruling][] = []
    for (const step of steps) pairs.push(await both(step))
    return [pairs.map(([expected]) => expected), pairs.map(([, { decidedAtMs, ...ruling }]) => ruling)]
  }

  it.each(algorithmNames)('decides as the one in memory does, to the last digit, by %s', async (algorithm) => {
    const setting = fc.record({
      limit: limits,
      W: lengths,
      burst: fc.option(limits, { nil: undefined }),
      ban: fc.option(fc.record({ threshold: fc.nat(3), withinMs: lengths, lengthMs: lengths }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(setting, fc.array(asked, { maxLength: 60 }), async ({ limit, W, burst, ban }, steps) => {
        const bucket = algorithm === 'token-bucket' || algorithm === 'gcra' ? burst : undefined
        const windows = [
          { name: 'minute', limit, windowMs: W, burst: bucket },
          { name: 'day', limit: limit * 3, windowMs: W * 5 },
        ]
        const subjects = ['one', 'other'].map((id) => ({ id, windows, ban }))
        const [expected, answered] = await playBoth(() => algorithm, subjects, steps)
        expect(answered).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  it('decides as the one in memory does where quotas of one request count differently', async () => {
    const named = fc.uniqueArray(fc.constantFrom(...algorithmNames), { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(named, limits, fc.array(asked, { maxLength: 40 }), async (names, limit, steps) => {
        const subjects = names.map((name, index) => ({
          id: `${name} of all`,
          windows: [{ name, limit: limit + index, windowMs: 10_000 * (index + 1) }],
        }))
        const [expected, answered] = await playBoth((name) => name as ModelName, subjects, steps)
        expect(answered).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })
})
