import { countUpTo } from '../../kit/numbers.js'
import type { Span } from '../../readings/history.js'

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

/**
 * The union of intervals, ascending, in O(n log n): [0, 10], [5, 20] and [30, 40] become [0, 20] and [30, 40]. Those that lie
 * no further apart than `gap` are joined as well.
 */
export const united = (spans: readonly Span[], gap = 0): Span[] => {
  const found: { from: number; to: number }[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && from <= last.to + gap) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}

export const inColumns = (spans: readonly Span[]): DisjointSpans => ({
  from: Float64Array.from(spans, ({ from }) => from),
  to: Float64Array.from(spans, ({ to }) => to),
})

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

/**
 * An instant modulo a period loses digits: arcs are shortened by this at either end, so that rounding rules no phase
 * out.
 */
const circleRoundingMs = 1e-6

const modulo = (value: number, modulus: number): number => value - modulus * Math.floor(value / modulus)

/**
 * Whether the arcs, taken modulo the period, cover all of `phases`, which are the whole circle when they span a period: on a circle of 60 s the arc (50, 70] covers (50,
 * 60] and (0, 10], so that together with (5, 55] it leaves no phase.
 */
export const coverCircle = (arcs: readonly Span[], periodMs: number, phases: Span): boolean => {
  const span = Math.min(periodMs, phases.to - phases.from)
  const starts: number[] = []
  const ends: number[] = []
  const add = (from: number, to: number) => {
    starts.push(from)
    ends.push(to)
  }
  for (const arc of arcs) {
    const length = arc.to - arc.from - 2 * circleRoundingMs
    if (length <= 0) continue
    if (length >= periodMs) return true
    const from = modulo(arc.from + circleRoundingMs - phases.from, periodMs)
    add(from, Math.min(periodMs, from + length))
    if (from + length >= periodMs) add(Number.NEGATIVE_INFINITY, from + length - periodMs)
  }
  return coverLine(Float64Array.from(starts).sort(), Float64Array.from(ends).sort(), span)
}

/** Whether intervals (start, end], given by their sorted starts and their sorted ends, cover all of [0, span]. */
const coverLine = (starts: Float64Array, ends: Float64Array, span: number): boolean => {
  let [next, closed] = [0, 0]
  let at = 0
  while (at <= span) {
    while (next < starts.length && starts[next] <= at) next++
    while (closed < ends.length && ends[closed] <= at) closed++
    if (next === closed) return false
    if (closed === ends.length) return false
    at = ends[closed]
    if (at >= span) return next > closed
  }
  return true
}

/** Finds the greatest value among the indices [from, to) in O(log n), by a tree of maxima; minus infinity in none. */
export const rangeMaximum = (values: Float64Array): ((from: number, to: number) => number) => {
  const size = Math.max(1, values.length)
  const tree = new Float64Array(2 * size).fill(Number.NEGATIVE_INFINITY)
  tree.set(values, size)
  for (let node = size - 1; node > 0; node--) tree[node] = Math.max(tree[2 * node], tree[2 * node + 1])
  return (from, to) => {
    let most = Number.NEGATIVE_INFINITY
    for (let left = from + size, right = to + size; left < right; left >>= 1, right >>= 1) {
      if (left & 1) most = Math.max(most, tree[left++])
      if (right & 1) most = Math.max(most, tree[--right])
    }
    return most
  }
}
