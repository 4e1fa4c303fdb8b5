import type { QuotaWindow } from '../../contract/plans.js'
import type { History, Span } from '../../readings/history.js'
import { overfullPairs, overfullStarts } from '../counting/early-refusals.js'
import { isExplainedByGrid, lastFull } from '../counting/grid-windows.js'
import { coverCircle, inColumns, united } from '../counting/spans.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import type { Explanation } from '../models/explanation.js'

/** How far apart two lengths are, as the logarithm of their ratio: 30 s and 120 s are equally far from 60 s. */
export const distance = (length: number, other: number): number => Math.abs(Math.log(length / other))

/** The step between lengths of a row, as a logarithm: 1 %, which over a dozen windows adds up to a tenth of one. */
const coarseStep = 0.01
/** How many places of the row are searched more closely: each costs a dozen or more trials. */
const mostPlaces = 8
/** Halvings of a step in a descent: half a per cent becomes 0.0001 %, which is 0.07 ms of a minute. */
const mostDescents = 12
/** Halvings of a range of lengths: a factor of 144 between its ends shrinks to less than a millionth of a per cent. */
const mostBisections = 30

/** What a model says about a history with windows of some length. */
export type At = (length: number) => Explanation

/** Whether only early refusals refute a length: usually it is too short then, since its quota would come back too soon. */
const isOnlyEarly = (explanation: Explanation): boolean =>
  explanation.verdict === 'refuted' && explanation.reason === 'early-refusal'

/** Halves the range between a length that is too short and one that is too long, until one explains the history. */
export const byBisection = (at: At, { from, to }: Span, isEarlyBelow = true): number | null => {
  let [low, high] = [from, to]
  for (let round = 0; round < mostBisections; round++) {
    const middle = Math.sqrt(low * high)
    const explanation = at(middle)
    if (explanation.verdict === 'explained') return middle
    if (isOnlyEarly(explanation) === isEarlyBelow) low = middle
    else high = middle
  }
  return null
}

interface Said {
  readonly length: number
  readonly explanation: Explanation
}

/** How many exchanges a length leaves unexplained; 0 if it explains the history. */
const misfitOf = (explanation: Explanation): number =>
  explanation.verdict === 'explained' ? 0 : explanation.overAdmitted + explanation.earlyRefused

/** Searches between neighbours in a row, one of which seems too short and the other too long. */
const atTurns = (at: At, row: readonly Said[]): number | null => {
  const turns = row
    .slice(1)
    .map((next, k) => ({ from: row[k], to: next }))
    .filter(({ from, to }) => isOnlyEarly(from.explanation) !== isOnlyEarly(to.explanation))
  for (const { from, to } of turns.slice(0, mostPlaces)) {
    const found = byBisection(at, { from: from.length, to: to.length }, isOnlyEarly(from.explanation))
    if (found !== null) return found
  }
  return null
}

/** Descends, in ever smaller steps, from lengths that leave less unexplained than their neighbours in the row. */
const inValleys = (at: At, row: readonly Said[]): number | null => {
  const misfits = row.map(({ explanation }) => misfitOf(explanation))
  const valleys = row
    .map(({ length }, k) => ({
      length,
      misfit: misfits[k],
      isValley: !(misfits[k - 1] < misfits[k] || misfits[k + 1] < misfits[k]),
    }))
    .filter(({ isValley }) => isValley)
    .sort((a, b) => a.misfit - b.misfit)
  for (const { length } of valleys.slice(0, mostPlaces)) {
    const found = descend(at, length)
    if (found !== null) return found
  }
  return null
}

const descend = (at: At, from: number): number | null => {
  let [length, least, step] = [from, misfitOf(at(from)), coarseStep / 2]
  for (let round = 0; round < mostDescents && least > 0; round++, step /= 2) {
    for (const other of [length * Math.exp(step), length * Math.exp(-step)]) {
      const found = misfitOf(at(other))
      if (found < least) [length, least] = [other, found]
    }
  }
  return least === 0 ? length : null
}

/**
 * Searches a row of lengths from `from` to `to`, 1 % apart and nearest to the plan's window first, then more closely where
 * the row comes near. For windows opened by a request: a longer one may admit more as well as less, so bisection alone would
 * miss it.
 */
export const inRow = (at: At, windowMs: number, { from, to }: Span): number | null => {
  const steps = Math.ceil(Math.log(to / from) / coarseStep)
  const row = Array.from({ length: steps + 1 }, (_, k) => from * (to / from) ** (k / steps)).sort(
    (a, b) => distance(a, windowMs) - distance(b, windowMs),
  )
  const said: Said[] = []
  for (const length of row) {
    const explanation = at(length)
    if (explanation.verdict === 'explained') return length
    said.push({ length, explanation })
  }
  said.sort((a, b) => a.length - b.length)
  return atTurns(at, said) ?? inValleys(at, said)
}

/** Intervals without a boundary, whatever W is: a boundary there would make the refusal at their end early. */
const withoutBoundary = (tally: Tally): Span[] => {
  const { refusedSent, refusedReceived } = tally
  const arcs: Span[] = []
  for (const [k, sent] of refusedSent.entries()) {
    // A boundary during the refusal's round trip may lie on either side of the decision.
    const from = lastFull(tally, k) + refusedReceived[k] - sent
    if (from < sent) arcs.push({ from, to: sent })
  }
  const { from, to } = united(inColumns(arcs))
  return Array.from(from, (each, i) => ({ from: each, to: to[i] }))
}

/** Lengths from `length * (1 - share)` to `length * (1 + share)`, in milliseconds. */
interface Range {
  readonly length: number
  readonly share: number
}

/**
 * Says whether certainly no grid with a length in the range explains the history; false proves nothing. Example, with L = 3:
 * four admissions within [10, 20] s and four within [40, 50] s each need a boundary among them. The two boundaries are 20 to
 * 40 s apart, so no length of 41 to 45 s will do.
 */
const rangeJudge = (history: History, limit: number) => {
  const middleMs = (history.sentMs[0] + history.sentMs[history.size - 1]) / 2
  const tally = tallyOf(history, { limit, windowMs: Number.POSITIVE_INFINITY })
  const forbidden = withoutBoundary(tally)
  return ({ length, share }: Range): boolean => {
    // The further a boundary is from the middle of the history, the more it moves as the length moves away from the range's
    // middle: an interval rules out only what it covers for every length of the range.
    const shortened = ({ from, to }: Span): Span => {
      const far = Math.max(Math.abs(from - middleMs), Math.abs(to - middleMs))
      const blur = (far + 2 * length) * share
      return { from: from - middleMs + blur, to: to - middleMs - blur }
    }
    // What is too much for the shortest window of the range is too much for longer ones.
    const windowMs = length * (1 - share)
    const held = { ...tally, windowMs }
    const [overfull, inTwo] = [overfullStarts(held), overfullPairs(held)]
    return coverCircle([...forbidden, ...overfull, ...inTwo].map(shortened), length, { from: 0, to: length })
  }
}

/** The middle of a range is tried once no boundary moves by more than this within the range. */
const triedMs = 64
/** A range is not halved further once no boundary moves by more than this: less than the width of any interval. */
const finestMs = 1
/** A search begins with ranges that reach this share to either side of their middle. */
const firstShare = 1 / 16
/** Bounds on a search: ranges examined and lengths tried. A search that exceeds them ends without a length. */
const mostRanges = 8_000
const mostTried = 400

/**
 * The length nearest to the plan's window with which windows on a grid of any phase explain a history; null if none was
 * found. Branch and bound over the lengths: a range is dropped if no length in it can explain the history, and halved if one
 * might, the half nearer to the plan's window first.
 */
export const gridLength = (history: History, { limit, windowMs }: QuotaWindow, { from, to }: Span): number | null => {
  const spanMs = history.sentMs[history.size - 1] - history.sentMs[0]
  const isImpossible = rangeJudge(history, limit)
  const ranges: Range[] = []
  for (let length = from; length < to; length *= 1 + 2 * firstShare)
    ranges.push({ length: length * (1 + firstShare), share: firstShare })
  // The last one is examined first.
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
