import { countBelow, countUpTo } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { firstAnswers, type History, isDecided, outcomes, type Span } from '../../readings/history.js'
import { overfullPairs, overfullStarts } from './early-refusals.js'
import { earlyArcs } from './grid-windows.js'
import { inColumns, rangeMaximum, roundingMs, type SpanColumns, united } from './spans.js'
import { impossiblePriorStarts, lastPriorStart, type Tally } from './tally.js'

/** When a window may start: with the first request after the end of the one before; on a grid, also at that end. */
interface Succession {
  readonly onGrid: boolean
}

/** Intervals in which requests that were not refused were decided, and how many requests each one covers. */
interface Openers extends SpanColumns {
  readonly requests: Uint32Array
}

interface Bounds {
  /** Where no window can have started. */
  readonly impossible: SpanColumns
  /** Where no window can have started exactly at the end of another. */
  readonly impossibleOnGrid: SpanColumns
  /** Where a request that opened a window can have been decided. */
  readonly openers: Openers
  /** The earliest admission or refusal of a request that was sent at an instant or later; Infinity for none. */
  readonly firstAnswer: (since: number) => number
  /**
   * Whether every window that started within an interval certainly admits too much of what was sent from `sinceMs` on, or
   * admits too much together with the window before it, which was over by `overBy`, or refuses too early.
   */
  readonly isBroken: (starts: Span, sinceMs: number, overBy: number) => boolean
}

/** The most intervals followed within one W. Beyond that, neighbours are joined, which can only favour the target. */
const mostIntervals = 1024

/**
 * Intervals in which a window can start, taken in ascending order. Every added interval starts at least W after the last one
 * taken, so the intervals of one W can be sorted and joined before the first of them is taken. With W = 60 s: after [0, 1] s
 * was taken, [60, 61] s and [70, 70.3] s are added, both of the second minute.
 */
class WaitingStarts {
  private readonly slabs = new Map<number, { from: number[]; to: number[] }>()
  private ready: SpanColumns = { from: new Float64Array(), to: new Float64Array() }
  private taken = 0

  constructor(private readonly lengthMs: number) {}

  readonly add = (from: number, to: number): void => {
    const slab = Math.floor(from / this.lengthMs)
    const waiting = this.slabs.get(slab)
    if (waiting) {
      waiting.from.push(from)
      waiting.to.push(to)
    } else this.slabs.set(slab, { from: [from], to: [to] })
  }

  next(): Span | undefined {
    if (this.taken === this.ready.from.length) this.prepare()
    if (this.taken === this.ready.from.length) return undefined
    return { from: this.ready.from[this.taken], to: this.ready.to[this.taken++] }
  }

  private prepare(): void {
    if (this.slabs.size === 0) return
    const first = Math.min(...this.slabs.keys())
    const { from = [], to = [] } = this.slabs.get(first) ?? {}
    this.slabs.delete(first)
    this.ready = united({ from: new Float64Array(from), to: new Float64Array(to) })
    for (let gap = this.lengthMs / (4 * mostIntervals); this.ready.from.length > mostIntervals; gap *= 2)
      this.ready = united(this.ready, gap)
    this.taken = 0
  }
}

/**
 * Passes on what is left of an interval once disjoint, ascending others are cut out, each without its first instant: [0, 100]
 * without (10, 20] and (50, 200] leaves [0, 10] and [20, 50]. Takes O(log n), plus O(1) for each cut.
 */
const without = ({ from, to }: Span, others: SpanColumns, leave: (from: number, to: number) => void): void => {
  let start = from
  for (let i = countUpTo(others.to, from); i < others.from.length && others.from[i] + roundingMs < to; i++) {
    const [cutFrom, cutTo] = [others.from[i] + roundingMs, others.to[i] - roundingMs]
    if (cutFrom >= cutTo) continue
    if (cutFrom >= start) leave(start, cutFrom)
    start = Math.max(start, cutTo)
    if (start > to) return
  }
  if (start <= to) leave(start, to)
}

/**
 * Whether a chain of windows explains a history: none overlap, each lasts W, starts with the first request after the one
 * before it (on a grid: or at its end), admits at most L and refuses only once it has. The search follows the intervals in
 * which a window can have started through the history, each to those of the next window, less what is impossible. Use before
 * the run leaves open only the start of the first window.
 *
 * Example, with W = 60 s: a request that was sent at 0 s and answered at 0.2 s opened a window within [0, 0.2] s, so it was
 * over within [60, 60.2] s. One that was sent at 60.1 s and answered at 60.4 s was its last, or opened the next within [60.1,
 * 60.4] s. If it was the last, the next window starts with a later request. Both are followed; the history is explained as
 * soon as one of them reaches its end.
 */
export const isExplainedByChain = (tally: Tally, succession: Succession): boolean => {
  const { history, windowMs } = tally
  if (history.size === 0) return true
  if (earlyArcs(tally).hopeless.length > 0) return false
  const bounds = boundsOf(tally)
  const waiting = new WaitingStarts(windowMs)
  const take = (starts: Span) => without(starts, bounds.impossible, waiting.add)
  const takeOpened = openedIn(bounds, take)
  const first = firstStarts(tally)
  if (first) take(first)
  else if (!takeOpened({ from: Number.NEGATIVE_INFINITY, to: history.sentMs[0] })) return true
  for (let starts = waiting.next(); starts; starts = waiting.next()) {
    const over = { from: starts.from + windowMs, to: starts.to + windowMs }
    if (!takeOpened(over)) return true
    if (succession.onGrid) without(over, bounds.impossibleOnGrid, waiting.add)
  }
  return false
}

/** Where the first window can have started if the key may have been used before; null if a request of the run opened it. */
const firstStarts = (tally: Tally): Span | null => {
  const [sent, prior] = [tally.history.sentMs[0], tally.history.priorUntilMs]
  return prior === Number.NEGATIVE_INFINITY
    ? null
    : { from: Math.min(sent, prior) - tally.windowMs, to: lastPriorStart(tally) }
}

/** Takes the starts of windows opened after the one before ended in this interval; false if nothing came after it. */
const openedIn = ({ openers, firstAnswer, isBroken }: Bounds, take: (starts: Span) => void) => {
  // A start that does not depend on how exactly the end before is known turns up for many ends, and is taken once.
  const isTaken = new Uint8Array(openers.from.length)
  const takeWhole = (i: number, from: number, before: number) => {
    const whole = { from, to: Math.min(openers.to[i], firstAnswer(before)) }
    if (whole.from <= whole.to && !isBroken(whole, before, before)) take(whole)
  }
  return (over: Span): boolean => {
    const last = firstAnswer(over.to)
    if (last === Number.POSITIVE_INFINITY) return false
    for (let i = countBelow(openers.to, over.from); i < openers.from.length && openers.from[i] <= last; i++) {
      const [from, to] = [openers.from[i], openers.to[i]]
      // If the window before ended before any of these was sent, all of them are in the new one.
      if (over.to < from) takeWhole(i, from, over.to)
      else if (from >= over.from && isTaken[i] === 0) {
        isTaken[i] = 1
        takeWhole(i, from, from)
      }
      if (over.to <= from) continue
      const part = { from: Math.max(from, over.from), to: Math.min(to, last) }
      // A single request is in the window that it opens, whenever the one before ended.
      const overBy = Math.min(over.to, part.to)
      const since = openers.requests[i] === 1 ? from : overBy
      if (part.from <= part.to && !isBroken(part, since, overBy)) take(part)
    }
    return true
  }
}

const boundsOf = onceFor((tally: Tally): Bounds => {
  const { windowMs } = tally
  const { certain, straddling } = earlyArcs(tally)
  const everywhere = [...overfullStarts(tally), ...certain, ...impossiblePriorStarts(tally)]
  const between = overfullPairs(tally).map(({ from, to }) => ({ from: from + windowMs, to: to + windowMs }))
  return {
    impossible: united(inColumns(everywhere)),
    impossibleOnGrid: united(inColumns([...everywhere, ...straddling, ...between])),
    openers: openersOf(tally.history),
    firstAnswer: (since) => firstDecided(tally.history)[countBelow(tally.history.sentMs, since)],
    isBroken: brokenStarts(tally),
  }
})

const openersOf = onceFor(({ size, sentMs, receivedMs, outcome }: History): Openers => {
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
  return { from: new Float64Array(from), to: new Float64Array(to), requests: new Uint32Array(requests) }
})

/** For each index, the earliest admission or refusal of a request from it on; Infinity for none. */
const firstDecided = onceFor((history: History) => firstAnswers(history, (i) => isDecided(history.outcome[i])))

const brokenStarts = (tally: Tally): Bounds['isBroken'] => {
  const { refusedSent, limit, windowMs, admittedSent, admittedReceived, spentBefore, spentReceived } = tally
  const ofPrior = lastPriorStart(tally)
  const mostUnspent = rangeMaximum(new Float64Array(spentBefore).map((count) => -count))
  // Whether more than `most` of the answered admissions were sent at `sinceMs` or later.
  const isMoreThan = (most: number, answered: number, sinceMs: number) =>
    answered > most && admittedSent[answered - most - 1] >= sinceMs
  return ({ from, to }, sinceMs, overBy) => {
    const answered = countBelow(admittedReceived, from + windowMs)
    if (isMoreThan(limit, answered, sinceMs)) return true
    const lastStart = overBy - windowMs
    if (isMoreThan(2 * limit, answered, lastStart <= ofPrior ? Number.NEGATIVE_INFINITY : lastStart)) return true
    const unspent = mostUnspent(countBelow(refusedSent, overBy), countBelow(refusedSent, to + windowMs))
    // Of the requests before some refusal, so many were answered before the start that fewer than the limit are left.
    const before = -unspent - limit
    return before < 0 || spentReceived[before] < from
  }
}

/**
 * A window opened within [low, high], and the one before it was over by `afterMs`. Example, with W = 60 s: a request sent at
 * 0 s and answered at 0.2 s opens a window within [0, 0.2] s, which ends within [60, 60.2] s. A request sent at 60.1 s may be
 * its last or open the next; one sent at 70 s and answered at 70.3 s is certainly in the next. So the next opens within
 * [60.1, 70.3] s.
 */
export interface Opening {
  readonly low: number
  readonly high: number
  readonly afterMs: number
}

/**
 * The requests that were sent W or more after the last answer before them, and after any use before the run: any open window
 * is over by then, so it no longer matters how exactly earlier starts are known. No refusal that their new window may have
 * made is in transit then.
 */
const quietStarts = ({ history, windowMs }: Tally): number[] => {
  const { size, sentMs, receivedMs, outcome, priorUntilMs } = history
  const starts: number[] = []
  let [heardUntil, refusedUntil] = [priorUntilMs, Number.NEGATIVE_INFINITY]
  let isOpen = false
  for (let i = 0; i < size; i++) {
    if ((isOpen || i === 0) && sentMs[i] >= Math.max(heardUntil + windowMs, refusedUntil)) {
      starts.push(i)
      isOpen = false
    }
    // A refusal opens no window: another request opened its window.
    if (outcome[i] === outcomes.refused) {
      refusedUntil = Math.max(refusedUntil, receivedMs[i])
      continue
    }
    heardUntil = Math.max(heardUntil, receivedMs[i])
    isOpen = true
  }
  return starts
}

/** Every window in turn, while something certainly came later. The last before the run ended in [lowEnd, highEnd]. */
export function* openingsOf(tally: Tally, lowEnd: number, highEnd: number): Generator<Opening> {
  const { size, sentMs } = tally.history
  const starts = quietStarts(tally).filter((start) => start > 0)
  yield* openingsWithin(tally, 0, starts[0] ?? size, lowEnd, highEnd)
  for (const [place, start] of starts.entries())
    yield* openingsWithin(tally, start, starts[place + 1] ?? size, sentMs[start], sentMs[start])
}

/** The openings among the requests in [from, to), where the window before them ended within [lowEnd, highEnd]. */
function* openingsWithin(tally: Tally, from: number, to: number, lowEnd: number, highEnd: number): Generator<Opening> {
  const { history, windowMs } = tally
  const { sentMs, receivedMs, outcome } = history
  const first = firstDecided(history)
  let opener = from
  while (true) {
    while (opener < to && (outcome[opener] === outcomes.refused || receivedMs[opener] < lowEnd)) opener++
    const high = first[Math.max(from, countBelow(sentMs, highEnd))]
    // All of these were answered before the one at `to` was sent.
    if (high === Number.POSITIVE_INFINITY || high > sentMs[to]) return
    // If only refusals came later, nothing can have opened the window that they would have to be in.
    const low = opener === to ? Number.POSITIVE_INFINITY : Math.max(lowEnd, sentMs[opener])
    yield { low, high, afterMs: highEnd }
    if (opener === to) return
    lowEnd = low + windowMs
    highEnd = high + windowMs
  }
}
