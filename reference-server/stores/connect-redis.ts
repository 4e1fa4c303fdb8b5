import type { Redis, RedisOptions } from 'ioredis'
import type { Clock } from '../../src/kit/clock.js'
import { readRedisAddress } from '../../src/kit/redis-address.js'
import { UsageError } from '../../src/kit/usage-error.js'
import { within } from './compare-and-set.js'
import { redisStore } from './redis-store.js'
import type { StoreConnection, StoreFailure } from './store.js'

/** Where counts are kept, and what happens while they are out of reach. */
interface RedisConnection {
  /** `redis://` or, with TLS, `rediss://`. */
  readonly url: string
  /** Before the name of each key. Default: `quotaspec:`. */
  readonly prefix?: string
  /** Default: closed. */
  readonly failure?: StoreFailure
  /** How long a decision may take. Default: 500 ms. */
  readonly timeoutMs?: number
  readonly clock: Clock
  /** Told when the store stops answering, with the reason, and when it answers again, without one. */
  readonly onChange?: (reason: string | undefined) => void
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
export const connectRedis = async (connection: RedisConnection): Promise<StoreConnection> => {
  const { url, shown } = readRedisAddress(connection.url, '--store')
  const { Redis } = await import('ioredis')
  const client = new Redis(url, options)
  let reason = 'nobody answers'
  let aheadMs = 0
  client.on('error', (error: Error) => {
    reason = error.message || reason
  })
  try {
    await within(firstConnectMs, client.connect())
    aheadMs = await within(firstConnectMs, clockAheadMs(client, connection.clock))
  } catch (error) {
    client.disconnect()
    throw notReached(
      shown,
      error instanceof Error && !/^Connection is closed/.test(error.message) ? error.message : reason,
    )
  }
  const close = () => client.disconnect()
  return {
    close,
    open: (counting) =>
      redisStore(client, counting, {
        prefix: connection.prefix ?? 'quotaspec:',
        failure: connection.failure ?? 'closed',
        timeoutMs: connection.timeoutMs ?? 500,
        slackMs,
        time: 'redis',
        clock: connection.clock,
        aheadMs,
        onChange: connection.onChange ?? (() => {}),
        close,
      }),
  }
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
