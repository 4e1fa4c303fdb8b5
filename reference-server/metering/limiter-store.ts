import type { Ruling } from './ruling.js'
import type { Subject } from './subject.js'

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
