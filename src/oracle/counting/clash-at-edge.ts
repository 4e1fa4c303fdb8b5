import { countBelow } from '../../kit/numbers.js'
import { countTolerance, type Tally } from './tally.js'
import { type PhaseRange, type Stretch, type ViolatedSpan, windowStart } from './weighted-count.js'

/**
 * The first refusal that contradicts the admissions for every phase of a range, where a window edge falls into a burst.
 * Nobody sees how many requests of the burst were counted before the edge, but it is one number, for the window that starts
 * at the edge and for the next.
 *
 * Example, with L = 59 and W = 60 s: 60 requests were in transit when a window began; none of four was served after 30 s, 24
 * were served after 54 s. A request counted before the edge weighs half by 30 s, so the refusals allow at most 4 of those;
 * but the admissions by 54 s need at least 26.
 */
export const clashAtEdge = (tally: Tally, stretch: Stretch, range: PhaseRange): ViolatedSpan | null => {
  const { admittedSent, admittedReceived, spentReceived, prior, history, windowMs } = tally
  const { admittedFrom, admittedTo, begunBy } = stretch
  if (tally.askedBeyond !== null || range.width > windowMs * narrowShare) return null
  const mostBefore = (edge: number) =>
    edge + range.width <= begunBy ? admittedFrom : countBelow(admittedSent, edge + range.width)
  const spentBy = (edge: number) => countBelow(spentReceived, edge) - prior
  const lastMs = admittedReceived[admittedTo - 1]
  for (let edge = windowStart(admittedReceived[admittedFrom], range, windowMs); edge <= lastMs; edge += windowMs) {
    const admittedBy = countBelow(admittedReceived, edge)
    // Use before the run counts in its window and in the next.
    if (edge < history.priorUntilMs + windowMs || admittedBy >= mostBefore(edge)) continue
    const [previous, next] = [edge - windowMs, edge + windowMs]
    const above = leastBeforeEdge(tally, stretch, { edge, most: [mostBefore(previous), mostBefore(next)] })
    const given = {
      edge,
      least: [spentBy(previous), spentBy(next)],
      unclear: spentBy(edge) - admittedBy,
      above,
    } as const
    const clash = refusalBelow(tally, stretch, range, given)
    if (clash !== null) return { kind: 'early', k: clash }
  }
  return null
}

/** A range narrower than this, in windows, only leaves open which requests of a burst an edge divides. */
const narrowShare = 1 / 4096

/** The admissions of the edge's window and the next prove that more than this many were counted before it. */
const leastBeforeEdge = (
  { admittedReceived, limit, windowMs }: Tally,
  { admittedTo }: Stretch,
  { edge, most: [previous, next] }: { readonly edge: number; readonly most: readonly [number, number] },
): number => {
  let above = Number.NEGATIVE_INFINITY
  for (let k = countBelow(admittedReceived, edge); k < admittedTo; k++) {
    const share = (admittedReceived[k] - edge) / windowMs
    if (share >= 2) break
    const tooMany = k - limit - countTolerance
    const least = share < 1 ? (tooMany - (1 - share) * previous) / share : (tooMany - (share - 1) * next) / (2 - share)
    above = Math.max(above, least)
  }
  return above
}

/** The first refusal, up to two windows after the edge, that no whole number above the given one allows; or null. */
const refusalBelow = (
  { history, refused, spentBefore, prior, limit, windowMs }: Tally,
  { refusedFrom, refusedTo }: Stretch,
  { width }: PhaseRange,
  given: {
    readonly edge: number
    readonly least: readonly [number, number]
    readonly unclear: number
    readonly above: number
  },
): number | null => {
  const { edge, unclear, above } = given
  const [previous, next] = given.least
  for (let k = refusedFrom; k < refusedTo; k++) {
    const [sent, received] = [history.sentMs[refused[k]], history.receivedMs[refused[k]]]
    if (sent < edge + width) continue
    if (sent >= edge + 2 * windowMs) break
    const enough = spentBefore[k] - prior - limit + 1 + countTolerance
    const share = (sent - edge - width) / windowMs
    // A refusal in transit at an edge may have been decided on either side of it.
    if (share < 1 ? received >= edge + windowMs : sent < edge + windowMs + width) continue
    const below = share < 1 ? (enough - (1 - share) * previous) / share : (enough - (share - 1) * next) / (2 - share)
    if (Math.floor(above) + 1 > Math.ceil(below - unclear) - 1) return k
  }
  return null
}
