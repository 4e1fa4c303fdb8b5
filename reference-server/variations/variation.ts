import type { Departure } from '../behaviour/behaviour.js'

/** An unusual server that keeps the interface all the same: no check may fail on it. */
export interface Variation {
  /** Permanent: tests name it. */
  readonly id: string
  /** What is unusual about it, in the present tense. */
  readonly sentence: string
  readonly depart: Departure
}
