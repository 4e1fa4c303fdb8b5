import type { Area, ClauseId } from '../../src/contract/clauses.js'
import type { Departure } from '../behaviour/behaviour.js'

/** A small named departure from the interface, and what an exact checker would find broken. */
export interface Fault {
  /** Permanent: scenarios, tests and the kill matrix name it. */
  readonly id: string
  readonly area: Area
  /** Every must and should clause that it breaks, and no other. */
  readonly breaks: readonly ClauseId[]
  /** What the server does wrong, in the present tense. */
  readonly sentence: string
  readonly depart: Departure
}

/** The faults of one area. */
export const faultsOf = (area: Area, faults: readonly Omit<Fault, 'area'>[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, area }))
