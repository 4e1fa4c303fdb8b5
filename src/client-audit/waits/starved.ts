import type { Arrival } from '../../evidence/arrivals.js'
import type { Refusal } from './story.js'

/** How long the threads of a client waited for a processor between a refusal and an arrival. */
export interface Starved {
  /** All of them together: no chain of what one does after the other has waited longer. */
  readonly togetherMs: number
  /** The one that waited longest. */
  readonly longestMs: number
}

/** Undefined where nobody can tell. */
export const starvedBetween = ({ arrival: refused }: Refusal, { starved }: Arrival): Starved | undefined => {
  const { starvedByAnswer: before } = refused
  if (starved === null || before === null) return undefined
  const waits = Object.entries(starved).map(([thread, ms]) => ms - (before[thread] ?? 0))
  return { togetherMs: waits.reduce((sum, each) => sum + each, 0), longestMs: Math.max(0, ...waits) }
}
