import type { Clock } from '../../../src/kit/clock.js'
import type { Ruling } from '../../metering/ruling.js'
import type { Charge, Counting, SharedStore } from '../shared-store.js'
import { type StoreFailure, whenUnavailable } from '../unavailable.js'
import { limiterScript } from './limiter-script.js'
import { rulingReply } from './ruling-reply.js'
import { type RunScript, type ScriptClient, scriptRunner } from './script-runner.js'
import { within } from './within.js'

/** How a store on Redis works. */
export interface RedisStoreOptions {
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
  /** Ends the connection. */
  readonly close: () => void
}

type Act = 'take' | 'peek' | 'refund'

/**
 * Keeps what was spent on Redis. Each call is one script, so that processes that share a server count exactly; what is
 * not decided in time counts nothing, also if Redis comes to it later.
 */
export const redisStore = (client: ScriptClient, counting: Counting, options: RedisStoreOptions): SharedStore => {
  const run = scriptRunner(client, limiterScript(counting.algorithms))
  const decide = decider(run, counting, options)
  const lost = whenUnavailable(options.failure)
  let isLost = false

  const ask = async (act: Act, charges: readonly Charge[], nowMs: number): Promise<Ruling> => {
    if (charges.length === 0) return { outcome: 'admitted', windows: [], retryAfterMs: 0 }
    try {
      const ruling = await decide(act, charges, nowMs)
      if (isLost) options.onChange(undefined)
      isLost = false
      return ruling
    } catch (error) {
      if (!isLost) options.onChange(error instanceof Error ? error.message : String(error))
      isLost = true
      return lost(charges, nowMs)
    }
  }
  return {
    take: (subject, nowMs) => ask('take', [{ subject, cost: 1 }], nowMs),
    peek: (subject, nowMs) => ask('peek', [{ subject, cost: 1 }], nowMs),
    refund: (subject, nowMs) => ask('refund', [{ subject, cost: 1 }], nowMs),
    takeJointly: (charges, nowMs) => ask('take', charges, nowMs),
    close: options.close,
  }
}

/** Asks Redis, for no longer than a decision may take. */
const decider = (run: RunScript, counting: Counting, options: RedisStoreOptions) => {
  const { clock, timeoutMs } = options
  const keysAndCharges = namer(counting, options.prefix)
  // As the latest answer told: it came later than Redis said it, so that it is never overestimated.
  let { aheadMs } = options

  return async (act: Act, charges: readonly Charge[], givenMs: number): Promise<Ruling> => {
    const { keys, named } = keysAndCharges(charges)
    const byRedis = options.time === 'redis'
    const latestMs = byRedis && aheadMs !== undefined ? clock.monotonicMs() + aheadMs + timeoutMs : undefined
    const asked = { act, charges: named, slackMs: options.slackMs, latestMs, nowMs: byRedis ? undefined : givenMs }
    const reply = rulingReply(await within(timeoutMs, run(keys, JSON.stringify(asked))), charges)
    aheadMs = reply.nowMs - clock.monotonicMs()
    if (reply.kind === 'late') throw new Error(`the decision took longer than ${timeoutMs} ms`)
    return reply.ruling
  }
}

/** Names the keys of those who are charged, and says where in the list of keys each stands, counted from 1. */
const namer = ({ scope, algorithmOf }: Counting, prefix: string) => {
  return (charges: readonly Charge[]) => {
    const keys: string[] = []
    const named = charges.map(({ subject: { id, windows, ban }, cost }) => {
      const subjectKey = `${prefix}counts:${scope}:${id}`
      const key = keys.push(subjectKey)
      return {
        key,
        cost,
        ban,
        windows: windows.map(({ name, limit, lengthMs, capacity }) => {
          const algorithm = algorithmOf(name)
          // A server that counts in another way begins with counts of its own.
          const field = `${name} ${algorithm} ${lengthMs}`
          const log = algorithm === 'sliding-log' ? keys.push(`${subjectKey}:${field}`) : undefined
          return { algorithm, field, log, limit, lengthMs, capacity }
        }),
      }
    })
    return { keys, named }
  }
}
