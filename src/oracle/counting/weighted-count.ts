import { countBelow } from '../../kit/numbers.js'
import { countTolerance, type Tally } from './tally.js'

/** Phases [from, from + width] of the grid of windows, in milliseconds. */
export interface PhaseRange {
  readonly from: number
  readonly width: number
}

/** The part of a history that one grid counts: positions in the admissions and refusals, sorted by sending. */
export interface Stretch {
  readonly admittedFrom: number
  readonly admittedTo: number
  readonly refusedFrom: number
  readonly refusedTo: number
  /** By when its first admission began the grid, which counts none earlier; minus infinity for an older grid. */
  readonly begunBy: number
}

/** An exchange that no sliding counter explains: the k-th admission (by answer) or the k-th refusal (by sending). */
export interface ViolatedSpan {
  readonly kind: 'over' | 'early'
  readonly k: number
}

/** The start of the window that contains an instant, on the earliest grid of a range. */
const windowStart = (instant: number, { from }: PhaseRange, windowMs: number): number =>
  from + windowMs * Math.floor((instant - from) / windowMs)

/**
 * How far the weighted count certainly is at or above L + 1 when the k-th admission is answered, for every phase of a range;
 * negative if that is not certain. A window counts at least the answers until then less the requests sent before it began;
 * the rest of these weigh at least what they would in the window before. So a burst that was in transit when a window began
 * counts in full, whichever part of it was decided before.
 *
 * Example, with L = 3, W = 60 s and a grid at 0: three were admitted in the first minute, and three more by 75 s. A quarter
 * of the second minute has passed, so the first three weigh 3/4: 3 x 0.75 + 3 = 5.25, which is 1.25 above L + 1.
 */
const overMargin = (
  { admittedSent, admittedReceived, limit, windowMs }: Tally,
  { admittedFrom, begunBy }: Stretch,
  range: PhaseRange,
) => {
  let [start, beforeThis, beforeLast] = [Number.NaN, 0, 0]
  const sentBefore = (instant: number): number =>
    instant <= begunBy ? admittedFrom : countBelow(admittedSent, instant)
  return (k: number): number => {
    const answered = admittedReceived[k]
    const b = windowStart(answered, range, windowMs)
    if (b !== start) {
      start = b
      beforeThis = sentBefore(b + range.width)
      beforeLast = sentBefore(b + range.width - windowMs)
    }
    const inEither = k + 1 - beforeLast
    if (inEither <= limit) return Number.NEGATIVE_INFINITY
    const inThis = Math.max(0, k + 1 - beforeThis)
    const inLast = inEither - inThis
    const margin = inThis + inLast * (1 - (answered - b) / windowMs) - limit - 1
    return inLast === 0 ? margin : margin - countTolerance
  }
}

/**
 * How far the weighted count certainly is at or below L - 1 at the k-th refusal, for every phase of a range and in each
 * window that may have decided it; negative if that is not certain. One admission in the last minute and one in this weigh
 * 0.75 + 1 = 1.75 a quarter into it: with L = 3 a refusal is early by 0.25.
 */
const earlyMargin = (tally: Tally, range: PhaseRange) => {
  const { refusedSent, refusedReceived, spentBefore, spentReceived, askedBeyond, limit, countable, windowMs } = tally
  let [start, beforeThis, beforeLast] = [Number.NaN, 0, 0]
  const marginIn = (b: number, k: number, sent: number): number => {
    if (b !== start) {
      start = b
      beforeThis = countBelow(spentReceived, b)
      beforeLast = countBelow(spentReceived, b - windowMs)
    }
    const inThis = spentBefore[k] - beforeThis
    const inLast = Math.min(countable, beforeThis - beforeLast)
    const weight = Math.min(1, Math.max(0, 1 - (sent - b - range.width) / windowMs))
    const margin = limit - 1 - (askedBeyond?.[k] ?? 0) - inThis - inLast * weight
    return inLast === 0 ? margin : margin - countTolerance
  }
  return (k: number): number => {
    const sent = refusedSent[k]
    const received = refusedReceived[k]
    const b = windowStart(sent, range, windowMs)
    if (received >= b + 2 * windowMs) return Number.NEGATIVE_INFINITY
    let margin = marginIn(b, k, sent)
    if (margin < 0) return margin
    if (b + range.width > sent) margin = Math.min(margin, marginIn(b - windowMs, k, sent))
    if (received >= b + windowMs) margin = Math.min(margin, marginIn(b + windowMs, k, sent))
    return margin
  }
}

/** Whether an exchange that refuted other phases refutes every phase of this range too. */
export const violates = (tally: Tally, stretch: Stretch, { kind, k }: ViolatedSpan, range: PhaseRange): boolean =>
  (kind === 'over' ? overMargin(tally, stretch, range)(k) : earlyMargin(tally, range)(k)) >= 0

/** The worst of the admissions that no phase of a range explains, and the worst of the refusals. */
export const worstOver = (tally: Tally, stretch: Stretch, range: PhaseRange): ViolatedSpan | null =>
  worstOf('over', overMargin(tally, stretch, range), stretch.admittedFrom, stretch.admittedTo)

export const worstEarly = (tally: Tally, stretch: Stretch, range: PhaseRange): ViolatedSpan | null =>
  worstOf('early', earlyMargin(tally, range), stretch.refusedFrom, stretch.refusedTo)

/**
 * How many admissions have to be left out at one phase of the grid; each one left out no longer counts for those after it.
 *
 * Example, with L = 3 and a grid at 0: of six within one window three are left out. Counted with these, the fourth to sixth
 * and the first ones of the next window are all beyond the limit; without them, none is.
 */
export const excessAtPhase = (tally: Tally, stretch: Stretch, phase: number): number => {
  const { admittedReceived, windowMs } = tally
  const { admittedFrom, admittedTo } = stretch
  const range = { from: phase, width: 0 }
  const margin = overMargin(tally, stretch, range)
  let [excess, start, outOfThis, outOfLast] = [0, Number.NaN, 0, 0]
  for (let k = admittedFrom; k < admittedTo; k++) {
    const b = windowStart(admittedReceived[k], range, windowMs)
    if (b !== start) {
      outOfLast = b - start < 1.5 * windowMs ? outOfThis : 0
      outOfThis = 0
      start = b
    }
    if (margin(k) < outOfThis + outOfLast * (1 - (admittedReceived[k] - b) / windowMs)) continue
    outOfThis++
    excess++
  }
  return excess
}

/** How many refusals, of every `stride`-th one, are early at one phase of the grid; stops at `enough`. */
export const earlyAtPhase = (
  tally: Tally,
  { refusedFrom, refusedTo }: Stretch,
  phase: number,
  { stride = 1, enough = Number.POSITIVE_INFINITY },
): number => {
  const margin = earlyMargin(tally, { from: phase, width: 0 })
  let early = 0
  for (let k = refusedFrom; k < refusedTo && early < enough; k += stride) if (margin(k) >= 0) early++
  return early
}

const worstOf = (
  kind: ViolatedSpan['kind'],
  margin: (k: number) => number,
  from: number,
  to: number,
): ViolatedSpan | null => {
  let [worst, most] = [-1, Number.NEGATIVE_INFINITY]
  for (let k = from; k < to; k++) {
    const each = margin(k)
    if (each < 0 || each <= most) continue
    most = each
    worst = k
  }
  return worst < 0 ? null : { kind, k: worst }
}

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
  { refusedSent, refusedReceived, spentBefore, prior, limit, windowMs }: Tally,
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
    const sent = refusedSent[k]
    const received = refusedReceived[k]
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
