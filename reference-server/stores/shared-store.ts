import type { AlgorithmName } from '../limiters/algorithm-names.js'
import type { LimiterStore } from '../metering/limiter-store.js'
import type { Ruling } from '../metering/ruling.js'
import type { Subject } from '../metering/subject.js'

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
