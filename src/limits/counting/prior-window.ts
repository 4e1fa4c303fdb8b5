import type { Arc } from './phase-circle.js'
import type { Tally } from './tally.js'

/** Whatever opened a window before the run did so by this instant, and all of the run was decided later. */
export const lastPriorStart = ({ history }: Tally): number => Math.max(history.sentMs[0], history.priorUntilMs)

/**
 * The instant by which a window that was open when the run began has certainly ended. Whatever had been used of it
 * before: no more than L were admitted in it, and nothing after one of its refusals. Infinity where nothing tells.
 */
const priorWindowEndedBy = ({ history, limit, refused, spentBefore, admittedReceived }: Tally): number => {
  let endedBy = admittedReceived.length > limit ? admittedReceived[limit] : Number.POSITIVE_INFINITY
  for (let k = 0; k < refused.length; k++) {
    // What came before the run counts as a whole limit in `spentBefore`.
    const own = spentBefore[k] - limit
    if (own >= admittedReceived.length) continue
    endedBy = Math.min(endedBy, Math.max(history.receivedMs[refused[k]], admittedReceived[own]))
  }
  return endedBy
}

/** What is ruled out here and what is ruled out from there on overlap by so much, or rounding would leave the border. */
const overlapMs = 2e-3

/** The starts of a window that was open when the run began which what came after makes impossible; none, or one arc. */
export const impossiblePriorStarts = (tally: Tally): readonly Arc[] => {
  if (tally.history.priorUntilMs === Number.NEGATIVE_INFINITY) return []
  const [from, to] = [priorWindowEndedBy(tally) - tally.windowMs, lastPriorStart(tally) + overlapMs]
  return from < to ? [{ from, to }] : []
}
