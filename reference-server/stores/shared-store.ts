import type { AlgorithmName } from '../limiters/limiter.js'
import type { LimiterStore } from './memory-store.js'
import { type Charge, mostLeft, type Ruling } from './ruling.js'

/** Keeps counts outside of this process, so that several share them. What it answers is never a rejection. */
export interface SharedStore extends LimiterStore {
  take(charges: readonly Charge[], nowMs: number): Promise<Ruling>
  peek(charges: readonly Charge[], nowMs: number): Promise<Ruling>
  refund(charges: readonly Charge[], nowMs: number): Promise<Ruling>
  close(): void
}

/** What a service counts, and how. */
export interface Counting {
  /** Tells the counts of one service from those of another: `petstore`, or the name of a contract. */
  readonly scope: string
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
