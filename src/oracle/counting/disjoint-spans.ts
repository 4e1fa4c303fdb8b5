import { countUpTo } from '../../kit/sorted-counts.js'
import type { Arc } from './phase-circle.js'

/** An interval of instants [from, to], in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Intervals that neither overlap nor touch, ascending, as two columns of milliseconds. */
export interface DisjointSpans {
  readonly from: Float64Array
  readonly to: Float64Array
}

/**
 * Sums of window lengths lose their last digits. So an interval that is taken away is shortened by this at either end:
 * no instant is ruled out by rounding alone. It is far below any round trip.
 */
export const roundingMs = 1e-3

/** The union of intervals, in O(n log n): [0, 10], [5, 20] and [30, 40] become [0, 20] and [30, 40]. */
export const united = (spans: readonly Arc[]): DisjointSpans => {
  const sorted = [...spans].sort((a, b) => a.from - b.from)
  const [from, to]: [number[], number[]] = [[], []]
  for (const each of sorted) {
    const last = to.length - 1
    if (last >= 0 && each.from <= to[last]) to[last] = Math.max(to[last], each.to)
    else {
      from.push(each.from)
      to.push(each.to)
    }
  }
  return { from: Float64Array.from(from), to: Float64Array.from(to) }
}

/**
 * What is left of an interval once others are taken away, each without its first instant: [0, 100] without (10, 20] and
 * (50, 200] leaves [0, 10] and [20, 50]. Takes O(log n), and O(1) for each interval that is cut out.
 */
export function* without({ from, to }: Span, spans: DisjointSpans): Generator<Span> {
  let start = from
  for (let i = countUpTo(spans.to, from); i < spans.from.length && spans.from[i] + roundingMs < to; i++) {
    const [cutFrom, cutTo] = [spans.from[i] + roundingMs, spans.to[i] - roundingMs]
    if (cutFrom >= cutTo) continue
    if (cutFrom >= start) yield { from: start, to: cutFrom }
    start = Math.max(start, cutTo)
    if (start > to) return
  }
  if (start <= to) yield { from: start, to }
}
