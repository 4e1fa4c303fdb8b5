/** An interval of instants (from, to], in milliseconds. */
export interface Arc {
  readonly from: number
  readonly to: number
}

/**
 * An instant modulo a period loses digits: arcs are shortened by this at either end, so that rounding rules no phase
 * out.
 */
const roundingMs = 1e-6

const modulo = (value: number, modulus: number): number => value - modulus * Math.floor(value / modulus)

/** Phases [from, to] of a grid of period `periodMs`; the whole circle when they span a period. */
export interface Phases {
  readonly from: number
  readonly to: number
}

/**
 * Whether the arcs, taken modulo the period, cover all of `phases`: on a circle of 60 s the arc (50, 70] covers (50,
 * 60] and (0, 10], so that together with (5, 55] it leaves no phase.
 */
export const coverCircle = (arcs: readonly Arc[], periodMs: number, phases: Phases): boolean => {
  const span = Math.min(periodMs, phases.to - phases.from)
  const starts: number[] = []
  const ends: number[] = []
  const add = (from: number, to: number) => {
    starts.push(from)
    ends.push(to)
  }
  for (const arc of arcs) {
    const length = arc.to - arc.from - 2 * roundingMs
    if (length <= 0) continue
    if (length >= periodMs) return true
    const from = modulo(arc.from + roundingMs - phases.from, periodMs)
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
