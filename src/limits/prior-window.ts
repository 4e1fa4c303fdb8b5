import type { Tally } from './tally.js'

/**
 * The instant by which a window that was open when the run began has certainly ended. Whatever had been used of it
 * before: no more than L were admitted in it, and nothing after one of its refusals. Infinity where nothing tells, and
 * where nothing had been used.
 */
export const priorWindowEndedBy = ({ history, limit, refused, spentBefore, admittedReceived }: Tally): number => {
  if (history.priorUntilMs === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY
  let endedBy = admittedReceived.length > limit ? admittedReceived[limit] : Number.POSITIVE_INFINITY
  for (let k = 0; k < refused.length; k++) {
    // What came before the run counts as a whole limit in `spentBefore`.
    const own = spentBefore[k] - limit
    if (own >= admittedReceived.length) continue
    endedBy = Math.min(endedBy, Math.max(history.receivedMs[refused[k]], admittedReceived[own]))
  }
  return endedBy
}
