import { isExplainedByGrid } from '../counting/grid-windows.js'
import { overfullStarts } from '../counting/overfull-windows.js'
import { type Arc, coverCircle } from '../counting/phase-circle.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import type { History, QuotaWindow } from '../history.js'
import { distance, type Lengths } from './length-search.js'

/** Each ends with a refusal before which too little was spent: so it holds no boundary of a window of any length. */
const withoutBoundary = ({ history, refused, limit, spentBefore, spentReceived }: Tally): Arc[] => {
  const arcs: Arc[] = []
  for (const [k, i] of refused.entries()) {
    const [sent, received] = [history.sentMs[i], history.receivedMs[i]]
    const rank = spentBefore[k] - limit
    const full = rank < 0 ? Number.NEGATIVE_INFINITY : spentReceived[rank]
    // A boundary in the interval of the refusal itself may lie on either side of it.
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

/** Lengths as a middle and the share by which they may lie beside it. */
interface Range {
  readonly length: number
  readonly share: number
}

/** Tells ranges of lengths of which no grid explains a history; of some it does not tell. */
const rangeJudge = (history: History, limit: number) => {
  const middleMs = (history.sentMs[0] + history.sentMs[history.size - 1]) / 2
  const tally = tallyOf(history, { limit, windowMs: Number.POSITIVE_INFINITY })
  const forbidden = withoutBoundary(tally)
  return ({ length, share }: Range): boolean => {
    // A boundary so far from the middle moves by this much as the length goes from the middle of the range to its end.
    const shortened = ({ from, to }: Arc): Arc => {
      const far = Math.max(Math.abs(from - middleMs), Math.abs(to - middleMs))
      const blur = (far + 2 * length) * share
      return { from: from - middleMs + blur, to: to - middleMs - blur }
    }
    // What the shortest of them cannot hold, the longer ones cannot either.
    const windowMs = length * (1 - share)
    const overfull = overfullStarts({ ...tally, windowMs })
    const inTwo = overfullStarts({ ...tally, limit: 2 * limit, windowMs: 2 * windowMs })
    return coverCircle([...forbidden, ...overfull, ...inTwo].map(shortened), length, { from: 0, to: length })
  }
}

/** A length is tried as soon as boundaries move by no more than this within a range. */
const triedMs = 64
/** Lengths are told apart until no boundary moves by more than this: less than any interval is wide. */
const finestMs = 1
const firstShare = 1 / 16
/** A search that has not come to an end by then will not, in time. */
const mostRanges = 8_000
const mostTried = 400

/**
 * One of the lengths nearest to a window's with which windows on a grid, from whatever instant, explain a history; null
 * where none does, or none was found in a bounded search. Branch and bound over the lengths: a range of them is dropped
 * where no phase is left for all of it.
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
