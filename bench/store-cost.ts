import { algorithmNames, algorithms } from '../reference-server/limiters/algorithms.js'
import { connectRedis } from '../reference-server/stores/redis-store.js'
import type { Charge } from '../reference-server/stores/ruling.js'
import { createMemoryStore } from '../reference-server/stores/store.js'
import { type RedisServer, startRedis } from '../reference-server/testing/redis-server.js'
import type { ModelName } from '../src/contract/limiter-models.js'
import { systemClock } from '../src/kit/clock.js'

// The cost of a decision on Redis compared with memory, by algorithm, for a key with a minute's and a day's window,
// admitted or refused: the time in this process's memory, the time that Redis spends in scripts (by its own count), and
// the total; each compared with a script that does nothing. Rounds are played in turns; results are medians, and ratios
// compare adjacent rounds. Only on loopback.
// Usage: node dist/bench/store-cost.js [decisions] [rounds]

const plenty = 1_000_000
const minuteMs = 6_000_000
const outcomes = ['admitted', 'refused'] as const
type Outcome = (typeof outcomes)[number]

const chargesOf = (id: string, outcome: Outcome): readonly Charge[] => {
  const windows = [
    { name: 'minute', limit: outcome === 'admitted' ? plenty : 1, windowMs: minuteMs },
    { name: 'day', limit: plenty, windowMs: minuteMs * 1_440 },
  ]
  return [{ subject: { id, windows }, cost: 1 }]
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Microseconds of a decision in memory. */
const inMemory = (algorithm: ModelName, outcome: Outcome, decisions: number): number => {
  const store = createMemoryStore({ openMeter: algorithms[algorithm] })
  const charges = chargesOf('key', outcome)
  const startedMs = performance.now()
  for (let made = 0; made < decisions; made += 1) void store.take(charges, Date.now())
  return ((performance.now() - startedMs) * 1_000) / decisions
}

/** The microseconds that Redis has spent in scripts, and how many it ran. */
const scriptTime = async ({ client }: RedisServer) => {
  const [, calls, usec] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(await client.info('commandstats')) ?? []
  return { calls: Number(calls ?? 0), usec: Number(usec ?? 0) }
}

const onRedis = async (redis: RedisServer, algorithm: ModelName, outcome: Outcome, decisions: number) => {
  const connection = await connectRedis({ url: redis.url, timeoutMs: 10_000, clock: systemClock })
  const store = connection.open({ scope: 'cost', algorithmOf: () => algorithm })
  const charges = chargesOf(`${algorithm} ${outcome}`, outcome)
  await store.take(charges, 0)
  const before = await scriptTime(redis)
  const startedMs = performance.now()
  for (let made = 0; made < decisions; made += 1) {
    if ((await store.take(charges, 0)).outcome !== outcome) throw new Error(`${algorithm}: not ${outcome}`)
  }
  const roundTripUs = ((performance.now() - startedMs) * 1_000) / decisions
  const after = await scriptTime(redis)
  store.close()
  return { roundTripUs, scriptUs: (after.usec - before.usec) / decisions }
}

/** The cost of a script that does nothing. */
const emptyScript = async (redis: RedisServer, times: number) => {
  const sha = String(await redis.client.script('LOAD', 'return 1'))
  const before = await scriptTime(redis)
  const startedMs = performance.now()
  for (let sent = 0; sent < times; sent += 1) await redis.client.evalsha(sha, 0)
  const roundTripUs = ((performance.now() - startedMs) * 1_000) / times
  const after = await scriptTime(redis)
  return { roundTripUs, scriptUs: (after.usec - before.usec) / (after.calls - before.calls) }
}

const [decisions = 2_000, rounds = 7] = process.argv.slice(2).map(Number)
const redis = await startRedis()
try {
  for (const outcome of outcomes) {
    for (const algorithm of algorithmNames) {
      const seen: Record<'memoryUs' | 'scriptUs' | 'roundTripUs' | 'scripts' | 'roundTrips', number>[] = []
      for (let round = 0; round < rounds; round += 1) {
        const empty = await emptyScript(redis, decisions)
        const memoryUs = inMemory(algorithm, outcome, decisions)
        const made = await onRedis(redis, algorithm, outcome, decisions)
        const scripts = made.scriptUs / empty.scriptUs
        seen.push({ ...made, memoryUs, scripts, roundTrips: made.roundTripUs / empty.roundTripUs })
      }
      const of = (field: keyof (typeof seen)[number], digits: number) =>
        median(seen.map((each) => each[field])).toFixed(digits)
      console.log(
        `${outcome.padEnd(9)} ${algorithm.padEnd(28)} memory ${of('memoryUs', 2)} us, script ${of('scriptUs', 1)} us (${of('scripts', 1)} empty ones), round trip ${of('roundTripUs', 0)} us (${of('roundTrips', 1)})`,
      )
    }
  }
} finally {
  await redis.stop()
}
