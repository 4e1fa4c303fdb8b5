import type { Redis, RedisOptions } from 'ioredis'
import type { Clock } from '../../src/kit/clock.js'
import { readRedisAddress } from '../../src/kit/redis-address.js'
import { UsageError, whyOf } from '../../src/kit/usage-error.js'
import { algorithms } from '../limiters/algorithms.js'
import { type Answered, compareAndSet, type ScriptClient, within } from './compare-and-set.js'
import { type Charge, decide, judged, mostLeft, type Ruling, type Subject, type Tally } from './ruling.js'
import {
  type Act,
  type Counting,
  matterlessAtMs,
  type SharedStore,
  type StoreConnection,
  type StoreFailure,
  storeThat,
} from './store.js'

/** Defaults: key names begin with `quotaspec:`, requests fail with 503 while Redis is unreachable, 500 ms a decision. */
type RedisConnection = Pick<RedisStoreOptions, 'clock'> &
  Partial<Pick<RedisStoreOptions, 'prefix' | 'failure' | 'timeoutMs' | 'onChange'>> & {
    /** `redis://` or, with TLS, `rediss://`. */
    readonly url: string
  }

const firstConnectMs = 5_000

/** How far Redis's clock may be set back before counts are forgotten too early. */
const slackMs = 1_000

/** No command is resent or waits for a connection, because it may have been counted already. */
const options: RedisOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: firstConnectMs,
  socketTimeout: firstConnectMs,
  retryStrategy: (times) => Math.min(times * 50, 1_000),
}

/** Connects to Redis. Throws a `UsageError` if it can't. */
export const connectRedis = async ({ url: address, clock, ...given }: RedisConnection): Promise<StoreConnection> => {
  const { url, shown } = readRedisAddress(address, '--store')
  const { prefix = 'quotaspec:', failure = 'closed', timeoutMs = 500, onChange = () => {} } = given
  const { Redis } = await import('ioredis')
  const client = new Redis(url, options)
  let reason = 'nobody answers'
  let aheadMs = 0
  client.on('error', (error: Error) => {
    reason = error.message || reason
  })
  try {
    await within(firstConnectMs, client.connect())
    aheadMs = await within(firstConnectMs, clockAheadMs(client, clock))
  } catch (error) {
    client.disconnect()
    const isTold = error instanceof Error && !/^Connection is closed/.test(error.message)
    throw notReached(shown, isTold ? error.message : reason)
  }
  const close = () => client.disconnect()
  const kept = { prefix, failure, timeoutMs, slackMs, time: 'redis', clock, aheadMs, onChange, close } as const
  return { close, open: (counting) => redisStore(client, counting, kept) }
}

const clockAheadMs = async (client: Redis, clock: Clock): Promise<number> => {
  const [seconds, microseconds] = await client.time()
  return Number(seconds) * 1000 + Number(microseconds) / 1000 - clock.monotonicMs()
}

/** The library is optional, and loaded only to keep counts on Redis. */
const notReached = (shown: string, reason: string): UsageError => {
  const what = /WRONGPASS|NOAUTH|NOPERM|AUTH/.test(reason)
    ? 'it does not accept the user or the password: write them as redis://USER:PASSWORD@HOST:PORT'
    : `there is no Redis that answers (${reason}): start one, or correct the address`
  return new UsageError(`--store ${shown}: ${what}`)
}

interface RedisStoreOptions {
  readonly prefix: string
  readonly failure: StoreFailure
  /** How long a decision may take. */
  readonly timeoutMs: number
  /** How much longer than needed a count is kept: the most by which Redis's clock may be set back. */
  readonly slackMs: number
  /** `redis`: the clock of Redis, which all processes share. `given`: the caller's time, for tests. */
  readonly time: 'redis' | 'given'
  readonly clock: Clock
  /** How far Redis's clock is ahead of this process's monotonic clock, if known; rather too little than too much. */
  readonly aheadMs?: number
  /** Called with the reason when Redis stops answering, and without one when it answers again. */
  readonly onChange: (reason: string | undefined) => void
  readonly close: () => void
}

/**
 * Keeps counts on Redis. A decision reads counts and time from Redis, is made here by the same limiters as in memory, and
 * is written only if the counts are unchanged, so processes that share a server count exactly. A decision that is too late
 * counts nothing, even if Redis gets to it later.
 */
export const redisStore = (client: ScriptClient, counting: Counting, options: RedisStoreOptions): SharedStore => {
  const inTurn = deciding(client, counting, options)
  const lost = uncounted(options.failure)
  let isLost = false

  const ask = async (act: Act, charges: readonly Charge[], givenMs: number): Promise<Ruling> => {
    if (charges.length === 0) return { outcome: 'admitted', windows: [], retryAfterMs: 0 }
    try {
      const ruling = await within(options.timeoutMs, inTurn({ act, charges, givenMs }))
      if (isLost) options.onChange(undefined)
      isLost = false
      return ruling
    } catch (error) {
      if (!isLost) options.onChange(whyOf(error))
      isLost = true
      return lost(charges, givenMs)
    }
  }
  return { ...storeThat(ask), close: options.close }
}

/** A request that waits for its decision, until a moment of the monotonic clock. */
interface Waiting extends Asked {
  readonly untilMs: number
  readonly resolve: (ruling: Ruling) => void
  readonly reject: (error: unknown) => void
}

/** Decides in batches about requests of the same keys, so that within a process they never compete. */
const deciding = (client: ScriptClient, { scope, algorithmOf }: Counting, options: RedisStoreOptions) => {
  const { clock, prefix, timeoutMs } = options
  const round = rounds(client, algorithmOf, options)
  const waitingFor = new Map<string, Waiting[]>()

  const decideAll = async (name: string, keys: readonly string[]) => {
    for (let batch = waitingFor.get(name) ?? []; batch.length > 0; batch = waitingFor.get(name) ?? []) {
      waitingFor.set(name, [])
      // A request that has waited too long already got its answer.
      const due = batch.filter(({ untilMs }) => clock.monotonicMs() <= untilMs)
      if (due.length === 0) continue
      try {
        const rulings = await round(keys, due, Math.min(...due.map(({ untilMs }) => untilMs)))
        for (const [index, { resolve }] of due.entries()) resolve(rulings[index])
      } catch (error) {
        for (const { reject } of due) reject(error)
      }
    }
    waitingFor.delete(name)
  }

  return (asked: Asked): Promise<Ruling> =>
    new Promise((resolve, reject) => {
      const waiting = { ...asked, untilMs: clock.monotonicMs() + timeoutMs, resolve, reject }
      const keys = asked.charges.map(({ subject }) => `${prefix}counts:${scope}:${subject.id}`)
      const name = keys.join('\n')
      const others = waitingFor.get(name)
      if (others) others.push(waiting)
      else {
        waitingFor.set(name, [waiting])
        void decideAll(name, keys)
      }
    })
}

/** Decides about requests of the same keys, in order and at one moment. Rejects if it takes too long. */
const rounds = (client: ScriptClient, algorithmOf: Counting['algorithmOf'], options: RedisStoreOptions) => {
  const { clock, timeoutMs, slackMs, time } = options
  const set = compareAndSet(client)
  const late = () => new Error(`the decision took longer than ${timeoutMs} ms`)
  // From the latest answer, which arrives after Redis sent it, so this is never too much.
  let { aheadMs } = options

  return async (keys: readonly string[], asked: readonly Asked[], untilMs: number): Promise<readonly Ruling[]> => {
    const answerTo = async (changes: Parameters<typeof set>[1]): Promise<Answered> => {
      const latestMs = time === 'redis' && aheadMs !== undefined ? untilMs + aheadMs : undefined
      const answer = await set(keys, changes, latestMs)
      aheadMs = answer.nowMs - clock.monotonicMs()
      return answer
    }
    let rulings: readonly Ruling[] = []
    let answer = await answerTo([])
    while (answer.kind === 'changed') {
      if (clock.monotonicMs() > untilMs) throw late()
      const { nowMs, stored } = answer
      const counts = stored.map(({ text }) => countsIn(text, nowMs))
      rulings = asked.map((each) => {
        const atMs = time === 'redis' ? nowMs : each.givenMs
        return { ...decided(each, counts, algorithmOf, atMs), decidedAtMs: atMs }
      })
      const changes = counts.map((each, index) => ({
        mark: stored[index].mark,
        text: textOf(each.kept),
        lifetimeMs: each.mattersForMs + slackMs,
      }))
      // Rulings that change nothing were right at the moment the counts were read.
      if (changes.every(({ text }, index) => text === stored[index].text)) return rulings
      answer = await answerTo(changes)
    }
    if (answer.kind === 'late') throw late()
    return rulings
  }
}

/** The ruling on a request that could not be counted. What is left is unknown, so it shows all or nothing. */
const uncounted =
  (failure: StoreFailure) =>
  (charges: readonly Charge[], nowMs: number): Ruling => ({
    outcome: failure === 'open' ? 'admitted' : 'unavailable',
    retryAfterMs: 0,
    windows: charges
      .flatMap(({ subject }) => subject.windows)
      .map((window) => ({
        window,
        remaining: failure === 'open' ? mostLeft(window) : 0,
        resetMs: nowMs + window.windowMs,
        refused: false,
      })),
    uncounted: true,
  })

interface Asked {
  readonly act: Act
  readonly charges: readonly Charge[]
  readonly givenMs: number
}

/** A subject's stored JSON: its refusals, and the state of each window's limiter. */
interface Kept {
  refusals: readonly [inARow: number, sinceMs: number, bannedUntilMs: number]
  readonly meters: Record<string, unknown>
}

interface Counts {
  readonly kept: Kept
  /** How long it differs from fresh counts. */
  mattersForMs: number
}

/** Reads stored counts; an empty text means that nothing was spent. */
const countsIn = (text: string, nowMs: number): Counts => ({
  kept: text === '' ? { refusals: [0, nowMs, Number.NEGATIVE_INFINITY], meters: {} } : JSON.parse(text, revived),
  mattersForMs: 0,
})

/** JSON has neither minus infinity (written as null, the only non-finite number of a state) nor typed arrays. */
const textOf = (kept: Kept): string =>
  JSON.stringify(kept, (_, value: unknown) =>
    value instanceof Float64Array ? Buffer.from(value.buffer).toString('base64') : value,
  )

const revived = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? Number.NEGATIVE_INFINITY
  const bytes = Uint8Array.from(Buffer.from(value, 'base64'))
  return new Float64Array(bytes.buffer)
}

const decided = (
  { act, charges }: Asked,
  counts: readonly Counts[],
  algorithmOf: Counting['algorithmOf'],
  nowMs: number,
): Ruling => {
  const charged = charges.map(({ subject, cost }, index) => {
    const { tally, keep } = reopened(subject, counts[index], algorithmOf, nowMs)
    return { tally, cost, keep }
  })
  const ruling = judged(act, charged, nowMs, decide)
  for (const { keep } of charged) keep()
  return ruling
}

/** A tally that continues from these counts, and how to store it again. */
const reopened = (subject: Subject, counts: Counts, algorithmOf: Counting['algorithmOf'], nowMs: number) => {
  const { kept } = counts
  const meters = subject.windows.map((window) => {
    const algorithm = algorithmOf(window.name)
    // A server with another limiter or window starts its own counts.
    const name = `${window.name} ${algorithm} ${window.windowMs}`
    return { name, ...algorithms[algorithm](window, nowMs, kept.meters[name]) }
  })
  const [refusedInARow, refusedSinceMs, bannedUntilMs] = kept.refusals
  const tally: Tally = { subject, meters, refusedInARow, refusedSinceMs, bannedUntilMs, askedAtMs: nowMs }
  const keep = () => {
    kept.refusals = [tally.refusedInARow, tally.refusedSinceMs, tally.bannedUntilMs]
    for (const { name, state } of meters) kept.meters[name] = state()
    counts.mattersForMs = Math.max(counts.mattersForMs, matterlessAtMs(tally) - nowMs)
  }
  return { tally, keep }
}
