import type { Meter } from '../limiters/limiter.js'
import { decide, type QuotaWindow, type Ruling, ruled, type Subject, type Tally } from './ruling.js'

/**
 * Where what was spent is kept. Each call is one atomic step over all windows of the subject. A store on the same
 * machine answers at once, one elsewhere with a promise.
 */
export interface LimiterStore {
  /** Judges a request and counts it, in all windows or in none. */
  take(subject: Subject, nowMs: number): Ruling | Promise<Ruling>
  /** How the subject stands; counts nothing. */
  peek(subject: Subject, nowMs: number): Ruling | Promise<Ruling>
  /** Gives the latest admitted request back, in all windows. */
  refund(subject: Subject, nowMs: number): Ruling | Promise<Ruling>
}

interface MemoryStoreOptions {
  readonly openMeter: (window: QuotaWindow, nowMs: number) => Meter
  /** The atomic step. */
  readonly decide?: (tally: Tally, nowMs: number) => Ruling | Promise<Ruling>
}

/** Keeps it in this process, so that several subjects can be judged in one step. */
interface MemoryStore extends LimiterStore {
  /** How many subjects are kept. */
  readonly size: number
  /** What is known of those that one request counts against; one that is new has spent nothing. */
  talliesOf(subjects: readonly Subject[], nowMs: number): readonly Tally[]
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

  const tallyOf = (subject: Subject, nowMs: number): Tally => {
    if (!tallies.has(subject.id)) forgetSome(nowMs)
    return keptOf(subject, nowMs)
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

  return {
    get size() {
      return tallies.size
    },
    talliesOf(subjects, nowMs) {
      // All are dropped before the first comes: a newcomer has spent nothing yet, and would be dropped for the next one.
      for (const { id } of subjects) if (!tallies.has(id)) forgetSome(nowMs)
      return subjects.map((subject) => keptOf(subject, nowMs))
    },
    take: (subject, nowMs) => step(tallyOf(subject, nowMs), nowMs),
    peek: (subject, nowMs) => ruled(tallyOf(subject, nowMs), nowMs, 'admitted'),
    refund(subject, nowMs) {
      const tally = tallyOf(subject, nowMs)
      for (const meter of tally.meters) meter.refund(nowMs)
      return ruled(tally, nowMs, 'admitted')
    },
  }
}

/** From when on a fresh tally would do as well. */
export const matterlessAtMs = (tally: Tally): number => {
  const { meters, bannedUntilMs, refusedInARow, refusedSinceMs, askedAtMs, subject } = tally
  const rowMs = refusedInARow > 0 ? refusedSinceMs + (subject.ban?.withinMs ?? 0) : Number.NEGATIVE_INFINITY
  return Math.max(bannedUntilMs, rowMs, askedAtMs + decidingMs, ...meters.map((meter) => meter.forgetAtMs()))
}
