import type { ModelName } from '../../src/contract/limiter-models.js'
import type { Meter } from '../limiters/limiter.js'
import {
  type Charge,
  type Charged,
  decide,
  freshTally,
  judged,
  type NamedWindow,
  type Ruling,
  type Subject,
  type Tally,
} from './ruling.js'

/**
 * `take` judges a request and counts it for everything that it is charged to, or for nothing; `peek` only shows the state of
 * the charged subjects; `refund` gives the latest admitted request back, in all windows.
 */
export type Act = 'take' | 'peek' | 'refund'

type Ask<Answer> = (charges: readonly Charge[], nowMs: number) => Answer

/** Keeps counts. Each call is one atomic step; only a store outside this process answers with a promise. */
export type LimiterStore<Answer = Ruling | Promise<Ruling>> = Readonly<Record<Act, Ask<Answer>>>

export const storeThat = <Answer>(
  does: (act: Act, ...asked: Parameters<Ask<Answer>>) => Answer,
): LimiterStore<Answer> => ({
  take: (charges, nowMs) => does('take', charges, nowMs),
  peek: (charges, nowMs) => does('peek', charges, nowMs),
  refund: (charges, nowMs) => does('refund', charges, nowMs),
})

/** No decision takes longer, and the tally that it counts in must not be forgotten meanwhile. */
const decidingMs = 1_000

/** From when on a fresh tally would be equivalent. */
export const matterlessAtMs = (tally: Tally): number => {
  const { meters, bannedUntilMs, refusedInARow, refusedSinceMs, askedAtMs, subject } = tally
  const rowMs = refusedInARow > 0 ? refusedSinceMs + (subject.ban?.withinMs ?? 0) : Number.NEGATIVE_INFINITY
  return Math.max(bannedUntilMs, rowMs, askedAtMs + decidingMs, ...meters.map((meter) => meter.forgetAtMs()))
}

/** Keeps counts outside this process, so that several can share them. Its promises never reject. */
export interface SharedStore extends LimiterStore<Promise<Ruling>> {
  close(): void
}

export interface Counting {
  /** Separates the counts of services: `petstore`, or the name of a contract. */
  readonly scope: string
  readonly algorithmOf: (windowName: string) => ModelName
}

/** A connection to a store of counts. */
export interface StoreConnection {
  open(counting: Counting): SharedStore
  /** Ends the connection, as closing the store opened on it does. */
  close(): void
}

/** What happens to requests while the store does not answer: `open` admits them uncounted, `closed` answers 503. */
export const storeFailures = ['closed', 'open'] as const

export type StoreFailure = (typeof storeFailures)[number]

interface MemoryStoreOptions {
  readonly openMeter: (window: NamedWindow, nowMs: number) => Meter
  readonly decide?: (charged: readonly Charged[], nowMs: number) => Ruling | Promise<Ruling>
}

/** How many subjects to check for each new one, so that old ones are dropped as fast as new ones come. */
const sweptPerNewcomer = 4

/**
 * Keeps counts in this process. A subject is forgotten once its windows are as good as new, its ban is over, its refusals
 * are too old to lead to a ban, and no request of it can still be waiting for its decision. Nothing runs on a timer.
 */
export const createMemoryStore = (options: MemoryStoreOptions) => {
  const { openMeter, decide: step = decide } = options
  const tallies = new Map<string, Tally>()
  let sweep = tallies.values()

  const forgetSome = (nowMs: number) => {
    for (let looked = 0; looked < sweptPerNewcomer; looked += 1) {
      const { value: tally, done } = sweep.next()
      if (done) {
        sweep = tallies.values()
        return
      }
      if (matterlessAtMs(tally) <= nowMs) tallies.delete(tally.subject.id)
    }
  }

  const keptOf = (subject: Subject, nowMs: number): Tally => {
    const known = tallies.get(subject.id)
    if (known) {
      known.askedAtMs = nowMs
      return known
    }
    const meters = subject.windows.map((window) => openMeter(window, nowMs))
    const tally = freshTally(subject, meters, nowMs)
    tallies.set(subject.id, tally)
    return tally
  }

  const chargedOf = (charges: readonly Charge[], nowMs: number): readonly Charged[] => {
    // Drop old subjects before adding any: a new one has spent nothing yet, and would be dropped for the next.
    for (const { subject } of charges) if (!tallies.has(subject.id)) forgetSome(nowMs)
    return charges.map(({ subject, cost }) => ({ tally: keptOf(subject, nowMs), cost }))
  }

  return {
    ...storeThat((act, charges, nowMs) => judged(act, chargedOf(charges, nowMs), nowMs, step)),
    get size() {
      return tallies.size
    },
  }
}
