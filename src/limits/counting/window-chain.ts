import { outcomes } from '../history.js'
import { type DisjointSpans, type Span, united, without } from './disjoint-spans.js'
import { type EarlyArcs, earlyArcs } from './early-arcs.js'
import { overfullStarts } from './overfull-windows.js'
import { impossiblePriorStarts, lastPriorStart } from './prior-window.js'
import { rangeMaximum } from './range-maximum.js'
import { countBelow } from './sorted-counts.js'
import type { Tally } from './tally.js'
import { WaitingStarts } from './waiting-starts.js'

/** How a window may follow the one before it: with the first request after its end, and perhaps at its end too. */
export interface Succession {
  readonly onGrid: boolean
}

/** Instants at which requests can have been decided, and how many of those each stretch is made of. */
interface Openers extends DisjointSpans {
  readonly requests: Uint32Array
}

/** What is known of a history where windows follow one another, for any of their starts. */
interface Bounds {
  /** Where no window can have begun. */
  readonly impossible: DisjointSpans
  /** Where none can have begun at the very end of another. */
  readonly impossibleOnGrid: DisjointSpans
  /** Where something can have been decided that opened one. */
  readonly openers: Openers
  /** The earliest answer of what was certainly counted or refused, among all that was sent at an instant or later. */
  readonly firstAnswer: (since: number) => number
  /**
   * Whether windows that began in [from, to] certainly refuse too early, or hold too much of what was sent from
   * `sinceMs` on, or too much together with the one before them, which was over by `overBy`.
   */
  readonly isBroken: (starts: Span, sinceMs: number, overBy: number) => boolean
}

/**
 * Whether windows of W that never overlap explain a history: each begins where the one before it ended or with the first
 * request after that, holds at most L and refuses only once it does. The instants at which a window can have begun are
 * followed through the history as stretches: from each on to those of the next window, less all that is impossible.
 * What was used before the run leaves the first of them open, and no more.
 */
export const isExplainedByChain = (tally: Tally, succession: Succession): boolean => {
  const { history, windowMs } = tally
  if (history.size === 0) return true
  const arcs = earlyArcs(tally)
  if (arcs.hopeless.length > 0) return false
  const bounds = boundsOf(tally, arcs)
  const waiting = new WaitingStarts(windowMs)
  for (const first of firstStarts(tally, bounds)) waiting.addAll(without(first, bounds.impossible))
  for (let starts = waiting.next(); starts; starts = waiting.next()) {
    const over = { from: starts.from + windowMs, to: starts.to + windowMs }
    if (bounds.firstAnswer(over.to) === Number.POSITIVE_INFINITY) return true
    if (succession.onGrid) waiting.addAll(without(over, bounds.impossibleOnGrid))
    for (const next of opened(over, bounds)) waiting.addAll(without(next, bounds.impossible))
  }
  return false
}

/** The starts of the window that was open, or just over, when the first request was sent; without earlier use, of its own. */
const firstStarts = (tally: Tally, bounds: Bounds): Iterable<Span> => {
  const { history, windowMs } = tally
  const [sent, prior] = [history.sentMs[0], history.priorUntilMs]
  if (prior === Number.NEGATIVE_INFINITY) return opened({ from: prior, to: sent }, bounds)
  return [{ from: Math.min(sent, prior) - windowMs, to: lastPriorStart(tally) }]
}

/** The starts of windows that a request opened, where the one before ended within `over`. */
function* opened(over: Span, { openers, firstAnswer, isBroken }: Bounds): Generator<Span> {
  const last = firstAnswer(over.to)
  for (let i = countBelow(openers.to, over.from); i < openers.from.length && openers.from[i] <= last; i++) {
    const [from, to] = [openers.from[i], openers.to[i]]
    const before = Math.min(over.to, from)
    // What ended before any of these requests was sent leaves all of them to the new window.
    const whole = { from, to: Math.min(to, firstAnswer(before)) }
    if (from >= over.from && whole.from <= whole.to && !isBroken(whole, before, before)) yield whole
    if (over.to <= from) continue
    const part = { from: Math.max(from, over.from), to: Math.min(to, last) }
    // A request by itself is in the window that it opens, whenever the one before ended.
    const overBy = Math.min(over.to, part.to)
    const since = openers.requests[i] === 1 ? from : overBy
    if (part.from <= part.to && !isBroken(part, since, overBy)) yield part
  }
}

const boundsOf = (tally: Tally, { certain, straddling }: EarlyArcs): Bounds => {
  const { limit, windowMs } = tally
  const everywhere = [...overfullStarts(tally), ...certain, ...impossiblePriorStarts(tally)]
  const inTwo = overfullStarts({ ...tally, limit: 2 * limit, windowMs: 2 * windowMs })
  const between = inTwo.map(({ from, to }) => ({ from: from + windowMs, to: to + windowMs }))
  return {
    impossible: united(everywhere),
    impossibleOnGrid: united([...everywhere, ...straddling, ...between]),
    openers: openersOf(tally),
    firstAnswer: firstAnswerSince(tally),
    isBroken: brokenStarts(tally),
  }
}

const openersOf = ({ history }: Tally): Openers => {
  const { size, sentMs, receivedMs, outcome } = history
  const [from, to, requests]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < size; i++) {
    if (outcome[i] === outcomes.refused) continue
    const last = to.length - 1
    if (last >= 0 && sentMs[i] <= to[last]) {
      to[last] = Math.max(to[last], receivedMs[i])
      requests[last]++
    } else {
      from.push(sentMs[i])
      to.push(receivedMs[i])
      requests.push(1)
    }
  }
  return { from: Float64Array.from(from), to: Float64Array.from(to), requests: Uint32Array.from(requests) }
}

const firstAnswerSince = ({ history }: Tally): ((since: number) => number) => {
  const { size, sentMs, receivedMs, outcome } = history
  const earliest = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY)
  for (let i = size - 1; i >= 0; i--) {
    const isCertain = outcome[i] === outcomes.admitted || outcome[i] === outcomes.refused
    earliest[i] = isCertain ? Math.min(earliest[i + 1], receivedMs[i]) : earliest[i + 1]
  }
  return (since) => earliest[countBelow(sentMs, since)]
}

const brokenStarts = (tally: Tally): Bounds['isBroken'] => {
  const { history, refused, limit, windowMs, admittedSent, admittedReceived, spentBefore, spentReceived } = tally
  const refusedSent = Float64Array.from(refused, (i) => history.sentMs[i])
  const ofPrior = lastPriorStart(tally)
  const mostUnspent = rangeMaximum(Float64Array.from(spentBefore, (count) => -count))
  return ({ from, to }, sinceMs, overBy) => {
    const answered = countBelow(admittedReceived, from + windowMs)
    if (answered - countBelow(admittedSent, sinceMs) > limit) return true
    const lastStart = overBy - windowMs
    const before = lastStart <= ofPrior ? 0 : countBelow(admittedSent, lastStart)
    if (answered - before > 2 * limit) return true
    const unspent = mostUnspent(countBelow(refusedSent, overBy), countBelow(refusedSent, to + windowMs))
    return -unspent - countBelow(spentReceived, from) < limit
  }
}
