import type { History, QuotaWindow } from '../../readings/history.js'
import { isExplainedByGrid } from '../counting/grid-windows.js'
import { overfullStarts } from '../counting/overfull-windows.js'
import { type Arc, coverCircle } from '../counting/phase-circle.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import { distance, type Lengths } from './length-search.js'

/** Intervals without a boundary, whatever W is: one there would make the refusal at their end an early one. */
const withoutBoundary = ({ history, refused, limit, spentBefore, spentReceived }: Tally): Arc[] => {
  const arcs: Arc[] = []
  for (const [k, i] of refused.entries()) {
    const [sent, received] = [history.sentMs[i], history.receivedMs[i]]
    const rank = spentBefore[k] - limit
    const full = rank < 0 ? Number.NEGATIVE_INFINITY : spentReceived[rank]
    // A boundary within the refusal's own interval may lie on either side of the decision.
    const from = full + received - sent
    if (from < sent) arcs.push({ from, to: sent })
  }
  return united(arcs)
}

const united = (arcs: readonly Arc[]): Arc[] => {
  const found: Arc[] = []
  for (const arc of [...arcs].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && arc.from <= last.to) found[found.length - 1] = { from: last.from, to: Math.max(last.to, arc.to) }
    else found.push(arc)
  }
  return found
}

/** Lengths from `length * (1 - share)` to `length * (1 + share)`, in milliseconds. */
interface Range {
  readonly length: number
  readonly share: number
}

/**
 * Says of a range of lengths whether certainly no grid of any of them explains the history; false proves nothing.
 * Example, with L = 3: four admissions within [10, 20] s and four within [40, 50] s take a boundary between each four.
 * These two are 20 to 40 s apart, so that no length of 41 to 45 s will do.
 */
const rangeJudge = (history: History, limit: number) => {
  const middleMs = (history.sentMs[0] + history.sentMs[history.size - 1]) / 2
  const tally = tallyOf(history, { limit, windowMs: Number.POSITIVE_INFINITY })
  const forbidden = withoutBoundary(tally)
  return ({ length, share }: Range): boolean => {
    // The further a boundary is from the middle of the history, the more it moves as the length goes from the middle of
    // the range to its end: an interval rules out only what no length of the range moves out of it.
    const shortened = ({ from, to }: Arc): Arc => {
      const far = Math.max(Math.abs(from - middleMs), Math.abs(to - middleMs))
      const blur = (far + 2 * length) * share
      return { from: from - middleMs + blur, to: to - middleMs - blur }
    }
    // What is too much for the shortest window of the range is too much for the longer ones.
    const windowMs = length * (1 - share)
    const overfull = overfullStarts({ ...tally, windowMs })
    const inTwo = overfullStarts({ ...tally, limit: 2 * limit, windowMs: 2 * windowMs })
    return coverCircle([...forbidden, ...overfull, ...inTwo].map(shortened), length, { from: 0, to: length })
  }
}

/** A range's middle is tried once no boundary moves by more than this within the range. */
const triedMs = 64
/** A range is no longer halved once no boundary moves by more than this: less than any interval is wide. */
const finestMs = 1
/** The ranges that a search begins with reach by this share to either side of their middle. */
const firstShare = 1 / 16
/** Bounds on a search, in ranges looked at and in lengths tried: one that is not over by then ends without a length. */
const mostRanges = 8_000
const mostTried = 400

/**
 * A length, as near to the plan's window as may be, with which windows on a grid of any phase explain a history; null
 * where none was found. Branch and bound over the lengths: a range is dropped where no length in it can explain the
 * history, and halved where one might, the half nearer to the plan's window first.
 */
export const gridLength = (
  history: History,
  { limit, windowMs }: QuotaWindow,
  { from, to }: Lengths,
): number | null => {
  const spanMs = history.sentMs[history.size - 1] - history.sentMs[0]
  const isImpossible = rangeJudge(history, limit)
  const ranges: Range[] = []
  for (let length = from; length < to; length *= 1 + 2 * firstShare) {
    ranges.push({ length: length * (1 + firstShare), share: firstShare })
  }
  // The last one is looked at first.
  const farthestFirst = (some: Range[]) =>
    some.sort((a, b) => distance(b.length, windowMs) - distance(a.length, windowMs))
  farthestFirst(ranges)
  let [looked, tried] = [0, 0]
  for (let range = ranges.pop(); range && looked < mostRanges && tried < mostTried; range = ranges.pop()) {
    looked++
    const { length, share } = range
    if (isImpossible(range)) continue
    const blurMs = share * spanMs
    if (blurMs <= triedMs && length >= from && length <= to) {
      tried++
      if (isExplainedByGrid(tallyOf(history, { limit, windowMs: length }), { from: 0, to: length })) return length
    }
    if (blurMs <= finestMs) continue
    const halves = [-share / 2, share / 2].map((beside) => ({ length: length * (1 + beside), share: share / 2 }))
    ranges.push(...farthestFirst(halves))
  }
  return null
}
