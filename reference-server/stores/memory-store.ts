import type { Meter } from '../limiters/limiter.js'
import {
  type Charge,
  type Charged,
  decide,
  judged,
  type NamedWindow,
  type Ruling,
  type Subject,
  type Tally,
} from './ruling.js'
import { matterlessAtMs, storeThat } from './store.js'

interface MemoryStoreOptions {
  readonly openMeter: (window: NamedWindow, nowMs: number) => Meter
  /** The atomic step. */
  readonly decide?: (charged: readonly Charged[], nowMs: number) => Ruling | Promise<Ruling>
}

/** Whenever a subject is new, so many others are looked at, so that old ones are dropped as fast as new ones come. */
const sweptPerNewcomer = 4

/**
 * Keeps what was spent in this process. A subject is forgotten once its windows are as good as new, its ban is over, its
 * refusals are too old to add up to a ban, and no request of it can still be waiting for its decision. Nothing runs on a timer.
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
    ...storeThat((act, charges, nowMs) => judged(act, chargedOf(charges, nowMs), nowMs, step)),
    get size() {
      return tallies.size
    },
  }
}
