import { roundingMs } from './disjoint-spans.js'
import type { Arc } from './phase-circle.js'
import type { Tally } from './tally.js'

/** The latest instant at which a window can have been opened by somebody's use before the run. */
export const lastPriorStart = ({ history }: Tally): number => Math.max(history.sentMs[0], history.priorUntilMs)

/**
 * The instant by which a window that was open when the run began has certainly ended; Infinity where nothing shows it.
 * Whatever others had used of it, it admits no more than L, and nothing after it has refused. With L = 3: it is over by
 * the answer to the run's fourth admission, and by that to the first admission that certainly follows a refusal.
 */
const priorWindowEndedBy = ({ history, limit, prior, refused, spentBefore, admittedReceived }: Tally): number => {
  let endedBy = admittedReceived.length > limit ? admittedReceived[limit] : Number.POSITIVE_INFINITY
  for (let k = 0; k < refused.length; k++) {
    const own = spentBefore[k] - prior
    if (own >= admittedReceived.length) continue
    endedBy = Math.min(endedBy, Math.max(history.receivedMs[refused[k]], admittedReceived[own]))
  }
  return endedBy
}

/**
 * Intervals that are ruled out are shortened by {@link roundingMs}: those on the two sides of an instant overlap by
 * twice that.
 */
const overlapMs = 2 * roundingMs

/** Where a window that was open when the run began cannot have started, by what was seen later; one arc, or none. */
export const impossiblePriorStarts = (tally: Tally): readonly Arc[] => {
  if (tally.history.priorUntilMs === Number.NEGATIVE_INFINITY) return []
  const [from, to] = [priorWindowEndedBy(tally) - tally.windowMs, lastPriorStart(tally) + overlapMs]
  return from < to ? [{ from, to }] : []
}
