import type { Arc } from './phase-circle.js'
import { countUpTo } from './sorted-counts.js'

/** Instants [from, to]. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Stretches that do not touch, ascending, in columns. */
export interface DisjointSpans {
  readonly from: Float64Array
  readonly to: Float64Array
}

/** Sums of window lengths cost digits; what is ruled out is taken to be so much shorter at either end. */
const roundingMs = 1e-3

/** The same instants as stretches that do not touch, in O(n log n). */
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

/** What is left of [from, to] once the instants within (from, to] of each span are taken away; O(log n) and each one cut. */
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
