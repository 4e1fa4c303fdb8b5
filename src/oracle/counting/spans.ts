import type { Span } from '../../readings/history.js'

/** Intervals, as two columns of milliseconds. */
export interface SpanColumns {
  readonly from: Float64Array
  readonly to: Float64Array
}

/**
 * Sums of window lengths lose their last digits. So an interval that is cut out is shortened by this at both ends: rounding
 * alone never rules out an instant. It is far below any round trip.
 */
export const roundingMs = 1e-3

export const inColumns = (spans: readonly Span[]): SpanColumns => {
  const [from, to] = [new Float64Array(spans.length), new Float64Array(spans.length)]
  for (let i = 0; i < spans.length; i++) [from[i], to[i]] = [spans[i].from, spans[i].to]
  return { from, to }
}

/**
 * The union of intervals, ascending, in O(n log n): [0, 10], [5, 20] and [30, 40] become [0, 20] and [30, 40]. Intervals no
 * further apart than `gap` are joined too. Sorted starts and sorted ends are enough: if the next start lies after the end at
 * its place, as many intervals have ended as have begun.
 */
export const united = (spans: SpanColumns, gap = 0): SpanColumns => {
  const [from, to] = [spans.from.toSorted(), spans.to.toSorted()]
  let size = 0
  for (let i = 0; i < to.length; i++) {
    if (i + 1 < from.length && from[i + 1] <= to[i] + gap) continue
    to[size++] = to[i]
    if (i + 1 < from.length) from[size] = from[i + 1]
  }
  return { from: from.subarray(0, size), to: to.subarray(0, size) }
}

/** An instant modulo a period loses digits: arcs are shortened by this at both ends, so that rounding rules out no phase. */
const circleRoundingMs = 1e-6

const modulo = (value: number, modulus: number): number => value - modulus * Math.floor(value / modulus)

/**
 * Whether the arcs, modulo the period, cover all of `phases` (the whole circle if these span a period). On a circle of 60 s
 * the arc (50, 70] covers (50, 60] and (0, 10], so together with (5, 55] it leaves no phase.
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
  return coverLine(new Float64Array(starts).sort(), new Float64Array(ends).sort(), span)
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

/** Finds the maximum over indices [from, to) in O(log n), with a tree of maxima; minus infinity if empty. */
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
