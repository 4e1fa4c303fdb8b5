import { UsageError } from '../../src/kit/usage-error.js'
import type { AlgorithmName } from '../limiters/limiter.js'
import type { LimiterStore } from '../metering/memory-store.js'
import { mostLeft, type Ruling, type Subject } from '../metering/ruling.js'

/** One who is counted, and what a request costs there. */
export interface Charge {
  readonly subject: Subject
  readonly cost: number
}

/** Keeps counts outside of this process, so that several share them. What it answers is never a rejection. */
export interface SharedStore extends LimiterStore {
  take(subject: Subject, nowMs: number): Promise<Ruling>
  peek(subject: Subject, nowMs: number): Promise<Ruling>
  refund(subject: Subject, nowMs: number): Promise<Ruling>
  /** Judges a request in all that it is charged to, and counts it in all of it or in nothing: one atomic step. */
  takeJointly(charges: readonly Charge[], nowMs: number): Promise<Ruling>
  close(): void
}

/** What a service counts, and how. */
export interface Counting {
  /** Tells the counts of one service from those of another: `petstore`, or the name of a contract. */
  readonly scope: string
  /** All that `algorithmOf` may name. */
  readonly algorithms: readonly AlgorithmName[]
  /** How the window of that name counts. */
  readonly algorithmOf: (windowName: string) => AlgorithmName
}

/** A connection to where counts are kept. */
export interface StoreConnection {
  /** Begins to count for a service. */
  open(counting: Counting): SharedStore
  /** Ends the connection; the end of the store that was opened on it does so too. */
  close(): void
}

/** The parts of a behaviour that count in this process's memory, or by a clock of its own. */
const countingParts: readonly string[] = ['openMeter', 'decide', 'meter', 'nowMs']

/** Throws where a departure counts in a way of its own: a store that several servers share counts as it is written. */
export const requireSharedCounting = (kind: 'fault' | 'variation', id: string, departed: object): void => {
  const own = countingParts.filter((part) => part in departed)
  if (own.length > 0)
    throw new UsageError(`--${kind} ${id} counts in a way of its own, in memory: leave out --store, or --${kind} ${id}`)
}

/** What happens to requests while the store does not answer: `open` admits them uncounted, `closed` answers 503. */
export const storeFailures = ['closed', 'open'] as const

export type StoreFailure = (typeof storeFailures)[number]

/** How requests are ruled that nobody could count. What is left is not known: all of it is shown, or nothing. */
export const whenUnavailable =
  (failure: StoreFailure) =>
  (charges: readonly Charge[], nowMs: number): Ruling => ({
    outcome: failure === 'open' ? 'admitted' : 'unavailable',
    retryAfterMs: 0,
    windows: charges
      .flatMap(({ subject }) => subject.windows)
      .map((window) => ({
        window,
        remaining: failure === 'open' ? mostLeft(window) : 0,
        resetMs: nowMs + window.lengthMs,
        refused: false,
      })),
    uncounted: true,
  })
