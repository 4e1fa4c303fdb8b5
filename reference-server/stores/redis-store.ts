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

/** Where counts are kept, by default under names that begin with `quotaspec:`, closed while out of reach, within 500 ms. */
type RedisConnection = Pick<RedisStoreOptions, 'clock'> &
  Partial<Pick<RedisStoreOptions, 'prefix' | 'failure' | 'timeoutMs' | 'onChange'>> & {
    /** `redis://` or, with TLS, `rediss://`. */
    readonly url: string
  }

const firstConnectMs = 5_000

/** How far Redis's clock may be set back without a count being forgotten too early. */
const slackMs = 1_000

/** Nothing is sent twice or waits for a connection: what may have been counted must not be counted again. */
const options: RedisOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: firstConnectMs,
  socketTimeout: firstConnectMs,
  retryStrategy: (times) => Math.min(times * 50, 1_000),
}

/** Connects to Redis; a `UsageError` where there is none. */
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

/** The library is optional, and loaded by those only who keep counts on Redis. */
const notReached = (shown: string, reason: string): UsageError => {
  const what = /WRONGPASS|NOAUTH|NOPERM|AUTH/.test(reason)
    ? 'it does not accept the user or the password: name them as redis://USER:PASSWORD@HOST:PORT'
    : `there is no Redis that answers (${reason}): start one, or correct the address`
  return new UsageError(`--store ${shown}: ${what}`)
}

interface RedisStoreOptions {
  /** Before the name of each key. */
  readonly prefix: string
  /** What happens to requests while Redis does not answer. */
  readonly failure: StoreFailure
  /** How long a decision may take. */
  readonly timeoutMs: number
  /** For how long a count is kept that matters no more: the most by which Redis's clock may be set back. */
  readonly slackMs: number
  /** `redis`: by the clock of Redis, which all processes share. `given`: as the caller says, for tests. */
  readonly time: 'redis' | 'given'
  readonly clock: Clock
  /** By how much Redis's clock is ahead of the monotonic one here, if that is known; better too little than too much. */
  readonly aheadMs?: number
  /** Told when Redis stops answering, with the reason, and when it answers again, without one. */
  readonly onChange: (reason: string | undefined) => void
  readonly close: () => void
}

/**
 * Keeps what was spent on Redis. A decision reads the counts and the time there, is made here by the limiters that count
 * in memory too, and is written only where the counts are still the same, so that processes that share a server count
 * exactly. What is not decided in time counts nothing, also if Redis comes to it later.
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

/** What waits for its decision, until a moment of the monotonic clock. */
interface Waiting extends Asked {
  readonly untilMs: number
  readonly resolve: (ruling: Ruling) => void
  readonly reject: (error: unknown) => void
}

/** Decides together about requests of the same keys that came meanwhile: within a process they never compete. */
const deciding = (client: ScriptClient, { scope, algorithmOf }: Counting, options: RedisStoreOptions) => {
  const { clock, prefix, timeoutMs } = options
  const round = rounds(client, algorithmOf, options)
  const waitingFor = new Map<string, Waiting[]>()

  const decideAll = async (name: string, keys: readonly string[]) => {
    for (let batch = waitingFor.get(name) ?? []; batch.length > 0; batch = waitingFor.get(name) ?? []) {
      waitingFor.set(name, [])
      // Who has waited too long has had an answer.
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

/** Decides about requests of the same keys, in that order and at one moment. Rejects where it takes longer than it may. */
const rounds = (client: ScriptClient, algorithmOf: Counting['algorithmOf'], options: RedisStoreOptions) => {
  const { clock, timeoutMs, slackMs, time } = options
  const set = compareAndSet(client)
  const late = () => new Error(`the decision took longer than ${timeoutMs} ms`)
  // As the latest answer told: it came later than Redis said it, so that it is never overestimated.
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
      // What changes nothing was right at the moment at which the counts were read.
      if (changes.every(({ text }, index) => text === stored[index].text)) return rulings
      answer = await answerTo(changes)
    }
    if (answer.kind === 'late') throw late()
    return rulings
  }
}

/** How requests are ruled that nobody could count. What is left is not known: all of it is shown, or nothing. */
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
  /** As the caller says. */
  readonly givenMs: number
}

/** What is kept of a subject, as JSON: its refusals, and the state of each window's limiter. */
interface Kept {
  refusals: readonly [inARow: number, sinceMs: number, bannedUntilMs: number]
  readonly meters: Record<string, unknown>
}

interface Counts {
  readonly kept: Kept
  /** For how long it says more than a fresh one. */
  mattersForMs: number
}

/** The counts in what was stored; the empty text stands for one who has spent nothing. */
const countsIn = (text: string, nowMs: number): Counts => ({
  kept: text === '' ? { refusals: [0, nowMs, Number.NEGATIVE_INFINITY], meters: {} } : JSON.parse(text, revived),
  mattersForMs: 0,
})

/** JSON knows neither minus infinity, the only number of a state that is none, nor lists of doubles. */
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

/** A tally that goes on with these counts, and how it is kept again. */
const reopened = (subject: Subject, counts: Counts, algorithmOf: Counting['algorithmOf'], nowMs: number) => {
  const { kept } = counts
  const meters = subject.windows.map((window) => {
    const algorithm = algorithmOf(window.name)
    // A server that counts in another way begins with counts of its own.
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
