import { setTimeout } from 'node:timers/promises'
import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Clock } from '../kit/clock.js'
import { readRedisAddress } from '../kit/redis-address.js'
import { UsageError, whyOf } from '../kit/usage-error.js'
import type { Share, Wire } from './messages.js'

/** The address from `--redis`, or from QUOTASPEC_REDIS, which hides a password from the machine's other users. */
export const redisAddress = (flag: string | undefined, environment: NodeJS.ProcessEnv) => {
  const url = flag ?? environment.QUOTASPEC_REDIS
  if (url === undefined || url === '')
    throw new UsageError('no Redis was given: set QUOTASPEC_REDIS=redis://HOST:6379, or add --redis redis://HOST:6379')
  return readRedisAddress(url, flag === undefined ? 'QUOTASPEC_REDIS' : '--redis')
}

/** Loads the two libraries, a quarter of the program, only for the commands that need them. */
const loadLibraries = async () => {
  const [{ Queue, Worker }, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')])
  return { Queue, Worker, Redis }
}

/** The prefix of all our names in Redis. */
const prefix = 'quotaspec'

/** How long keys stay in Redis after all processes were killed. */
const lapsesMs = 120_000
const renewEveryMs = 10_000

const retryMs = 200

/** How long the first connection, and handing over a share, may take. */
const connectWithinMs = 5_000
const handWithinMs = 2_000

const sharesAtOnce = 64

/** How long BullMQ keeps a share for its agent without renewal; renewed twice in that time. */
const lockMs = 30_000

/** Opens a wire on a Redis. Throws a {@link UsageError} if it can't be reached or is too old. */
export const openRedisWire = async ({ url, shown }: ReturnType<typeof redisAddress>, clock: Clock): Promise<Wire> => {
  const wire = new RedisWire(url, clock, await loadLibraries())
  try {
    await wire.open()
    return wire
  } catch (error) {
    await wire.close()
    throw new UsageError(`${shown}: ${inWords(wire.complaint ?? error)}`)
  }
}

/** A queue and its own connection, because BullMQ does not close a connection that it was given. */
interface OwnQueue {
  readonly queue: Queue
  readonly connection: Redis
}

/** Why Redis can't be used. The library's words may repeat the address, but never the password. */
const inWords = (error: unknown): string => {
  const reason = whyOf(error)
  if (/NOPERM/.test(reason))
    return `its user may not do what this takes (${reason}): let it use INFO, PUBLISH, SUBSCRIBE, scripts, and keys and channels that begin with ${prefix}:`
  return /WRONGPASS|AUTH/.test(reason)
    ? `it does not accept the user or the password (${reason}): write them as redis://USER:PASSWORD@HOST:PORT`
    : reason
}

class RedisWire implements Wire {
  readonly #saying: Redis
  readonly #hearing: Redis
  readonly #listeners = new Map<string, Set<(message: Buffer) => void>>()
  readonly #queues = new Map<string, OwnQueue>()
  #upSinceMs: number | undefined
  #renewing: NodeJS.Timeout | undefined
  /** A connection's last error. */
  complaint: unknown

  constructor(
    readonly url: string,
    readonly clock: Clock,
    readonly libraries: Awaited<ReturnType<typeof loadLibraries>>,
  ) {
    this.#saying = this.#connection(false)
    this.#hearing = this.#connection(false)
    this.#hearing.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      for (const listener of this.#listeners.get(channel.toString()) ?? []) listener(message)
    })
    for (const each of [this.#saying, this.#hearing]) {
      each.on('ready', () => {
        const isUp = this.#saying.status === 'ready' && this.#hearing.status === 'ready'
        if (isUp) this.#upSinceMs = this.clock.monotonicMs()
      })
      each.on('close', () => {
        this.#upSinceMs = undefined
      })
    }
  }

  async open(): Promise<void> {
    await Promise.all([this.#saying.connect(), this.#hearing.connect()])
    const version = /redis_version:(\d+)\.(\d+)/.exec(await this.#saying.info('server'))
    const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
    if (major < 6 || (major === 6 && minor < 2))
      throw new Error(`it is Redis ${major}.${minor}, and 6.2 or later is needed`)
    this.#renewing = setInterval(() => this.#renew(), renewEveryMs)
    this.#renewing.unref()
  }

  say(channel: string, message: Buffer): void {
    this.#saying.publish(nameOf(channel), message).catch(() => {})
  }

  async hear(channel: string, listener: (message: Buffer) => void): Promise<void> {
    const name = nameOf(channel)
    const known = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, known.add(listener))
    await this.#hearing.subscribe(name)
  }

  async hand(queue: string, share: Share): Promise<void> {
    const target = this.#queue(queue)
    const handing = target.add('share', share, { attempts: 1, removeOnComplete: true, removeOnFail: true })
    const job = await Promise.race([handing, after(handWithinMs)])
    handing.catch(() => {})
    if (!job) throw new Error('Redis did not take the share in time')
    await this.#expire(target, [job])
  }

  async take(queue: string, play: (given: unknown) => Promise<void>): Promise<{ close(): Promise<void> }> {
    const own = this.#queue(queue)
    const connection = this.#connection(true)
    const worker = new this.libraries.Worker(queue, (job: Job) => play(job.data), {
      connection,
      prefix,
      concurrency: sharesAtOnce,
      lockDuration: lockMs,
      // A share that seems stalled is not given out again: it would be sent twice.
      maxStalledCount: 0,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    worker.on('error', () => {})
    // A queue's lists are recreated as shares pass through it, and need a new expiry.
    worker.on('active', (job) => void this.#expire(own, [job]).catch(() => {}))
    await Promise.race([worker.waitUntilReady(), after(connectWithinMs)])
    return {
      async close() {
        await Promise.race([worker.close(true), after(connectWithinMs)])
        connection.disconnect()
      },
    }
  }

  async clear(queue: string): Promise<void> {
    const known = this.#queues.get(queue) ?? this.#open(queue)
    this.#queues.delete(queue)
    await Promise.race([known.queue.obliterate({ force: true }).catch(() => {}), after(handWithinMs)])
    await closed(known)
  }

  upSinceMs(): number | undefined {
    return this.#upSinceMs
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing)
    for (const each of this.#queues.values()) await closed(each)
    this.#saying.disconnect()
    this.#hearing.disconnect()
  }

  /** @param waits whether commands wait for a connection; those of messages do not, because a late message is useless. */
  #connection(waits: boolean): Redis {
    const redis = new this.libraries.Redis(this.url, {
      lazyConnect: !waits,
      maxRetriesPerRequest: null,
      enableOfflineQueue: waits,
      connectTimeout: connectWithinMs,
      connectionName: prefix,
      retryStrategy: () => (this.#renewing || waits ? retryMs : null),
    })
    redis.on('error', (error) => {
      this.complaint = error
    })
    return redis
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name) ?? this.#open(name)
    this.#queues.set(name, known)
    return known.queue
  }

  #open(name: string): OwnQueue {
    const connection = this.#connection(true)
    const queue = new this.libraries.Queue(name, { connection, prefix })
    queue.on('error', () => {})
    return { queue, connection }
  }

  #renew(): void {
    for (const { queue } of this.#queues.values()) void this.#expire(queue, []).catch(() => {})
  }

  /** Makes all keys of a queue expire some time after its last use. */
  async #expire(queue: Queue, jobs: readonly Job[]): Promise<void> {
    const keys = [...Object.values(queue.keys), ...jobs.map(({ id = '' }) => queue.toKey(id))]
    const pipeline = this.#saying.pipeline()
    for (const key of keys) pipeline.pexpire(key, lapsesMs)
    await pipeline.exec()
  }
}

const closed = async ({ queue, connection }: OwnQueue): Promise<void> => {
  await Promise.race([queue.close().catch(() => {}), after(handWithinMs)])
  connection.disconnect()
}

const nameOf = (channel: string): string => `${prefix}:${channel}`

const after = (ms: number): Promise<undefined> => setTimeout(ms, undefined, { ref: false })
