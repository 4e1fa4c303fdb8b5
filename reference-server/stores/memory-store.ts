import type { Meter } from '../limiters/limiter.js'
import {
  type Charge,
  type Charged,
  decide,
  type QuotaWindow,
  type Ruling,
  type Subject,
  standing,
  type Tally,
} from './ruling.js'

/**
 * Where what was spent is kept. Each call is one atomic step over all that a request is charged to. A store on the
 * same machine answers at once, one elsewhere with a promise.
 */
export interface LimiterStore {
  /** Judges a request and counts it, in all that it is charged to or in nothing. */
  take(charges: readonly Charge[], nowMs: number): Ruling | Promise<Ruling>
  /** How they stand who are charged; counts nothing. */
  peek(charges: readonly Charge[], nowMs: number): Ruling | Promise<Ruling>
  /** Gives the latest admitted request back, in all windows. */
  refund(charges: readonly Charge[], nowMs: number): Ruling | Promise<Ruling>
}

interface MemoryStoreOptions {
  readonly openMeter: (window: QuotaWindow, nowMs: number) => Meter
  /** The atomic step. */
  readonly decide?: (charged: readonly Charged[], nowMs: number) => Ruling | Promise<Ruling>
}

/** Keeps it in this process. */
interface MemoryStore extends LimiterStore {
  /** How many subjects are kept. */
  readonly size: number
}

/** Whenever a subject is new, so many others are looked at, so that old ones are dropped as fast as new ones come. */
const sweptPerNewcomer = 4

/** A second: no decision takes longer, and what is counted at its end must not be forgotten meanwhile. */
const decidingMs = 1_000

/**
 * Keeps what was spent in this process. A subject is forgotten once its windows are as good as new, its ban is over, its
 * refusals are too old to add up to a ban, and no request of it can still be waiting for its decision. Nothing runs on a timer.
 */
export const createMemoryStore = (options: MemoryStoreOptions): MemoryStore => {
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
    const tally: Tally = {
      subject,
      meters: subject.windows.map((window) => openMeter(window, nowMs)),
      refusedInARow: 0,
      refusedSinceMs: nowMs,
      bannedUntilMs: Number.NEGATIVE_INFINITY,
      askedAtMs: nowMs,
    }
    tallies.set(subject.id, tally)
    return tally
  }

  const chargedOf = (charges: readonly Charge[], nowMs: number): readonly Charged[] => {
    // All are dropped before the first comes: a newcomer has spent nothing yet, and would be dropped for the next one.
    for (const { subject } of charges) if (!tallies.has(subject.id)) forgetSome(nowMs)
    return charges.map(({ subject, cost }) => ({ tally: keptOf(subject, nowMs), cost }))
  }

  return {
    get size() {
      return tallies.size
    },
    take: (charges, nowMs) => step(chargedOf(charges, nowMs), nowMs),
    peek: (charges, nowMs) => standing(chargedOf(charges, nowMs), nowMs),
    refund(charges, nowMs) {
      const charged = chargedOf(charges, nowMs)
      for (const { tally } of charged) for (const meter of tally.meters) meter.refund(nowMs)
      return standing(charged, nowMs)
    },
  }
}

/** From when on a fresh tally would do as well. */
export const matterlessAtMs = (tally: Tally): number => {
  const { meters, bannedUntilMs, refusedInARow, refusedSinceMs, askedAtMs, subject } = tally
  const rowMs = refusedInARow > 0 ? refusedSinceMs + (subject.ban?.withinMs ?? 0) : Number.NEGATIVE_INFINITY
  return Math.max(bannedUntilMs, rowMs, askedAtMs + decidingMs, ...meters.map((meter) => meter.forgetAtMs()))
}
