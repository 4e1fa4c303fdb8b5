import type { Clock } from '../../src/kit/clock.js'
import { type Answered, compareAndSet, type ScriptClient, within } from './compare-and-set.js'
import { type Asked, countsIn, decided, textOf } from './kept-counts.js'
import type { Charge, Ruling } from './ruling.js'
import { type Counting, type SharedStore, type StoreFailure, whenUnavailable } from './shared-store.js'

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

/**
 * Keeps what was spent on Redis. A decision reads the counts and the time there, is made here by the limiters that count
 * in memory too, and is written only where the counts are still the same, so that processes that share a server count
 * exactly. What is not decided in time counts nothing, also if Redis comes to it later.
 */
export const redisStore = (client: ScriptClient, counting: Counting, options: RedisStoreOptions): SharedStore => {
  const decide = deciding(client, counting, options)
  const lost = whenUnavailable(options.failure)
  let isLost = false

  const ask = async (act: Asked['act'], charges: readonly Charge[], givenMs: number): Promise<Ruling> => {
    if (charges.length === 0) return { outcome: 'admitted', windows: [], retryAfterMs: 0 }
    try {
      const ruling = await within(options.timeoutMs, decide({ act, charges, givenMs }))
      if (isLost) options.onChange(undefined)
      isLost = false
      return ruling
    } catch (error) {
      if (!isLost) options.onChange(error instanceof Error ? error.message : String(error))
      isLost = true
      return lost(charges, givenMs)
    }
  }
  return {
    take: (charges, nowMs) => ask('take', charges, nowMs),
    peek: (charges, nowMs) => ask('peek', charges, nowMs),
    refund: (charges, nowMs) => ask('refund', charges, nowMs),
    close: options.close,
  }
}

/** What waits for its decision, until a moment of the monotonic clock. */
interface Waiting extends Asked {
  readonly untilMs: number
  readonly resolve: (ruling: Ruling) => void
  readonly reject: (error: unknown) => void
}

/**
 * Decides together about all requests of the same keys that have come while the ones before were decided: within a
 * process they never compete.
 */
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
