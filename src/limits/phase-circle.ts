/** A stretch (from, to] of the line of instants. */
export interface Arc {
  readonly from: number
  readonly to: number
}

/** Mapping onto the circle costs digits; arcs are shortened by this much, so that no phase is excluded by rounding. */
const roundingMs = 1e-6

const modulo = (value: number, modulus: number): number => value - modulus * Math.floor(value / modulus)

/** Phases [from, to] of a grid of period `periodMs`; the whole circle when they span a period. */
export interface Phases {
  readonly from: number
  readonly to: number
}

/** Whether the arcs, taken modulo the period, leave no phase of `phases` uncovered. */
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

/** Whether (start, end] of intervals whose starts and ends are sorted apart cover all of [0, span]. */
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

/** Evenly spaced phases of a part of the circle, and how often arcs cover each of them. */
export interface PhaseSamples {
  readonly phases: Float64Array
  /** Adds `weight` to every sample that the arc covers. */
  add(from: number, to: number, weight: number): void
  /** The weight that each sample has gathered. */
  totals(): Float64Array
}

export const samplePhases = (count: number, periodMs: number, { from, to }: Phases): PhaseSamples => {
  const span = Math.min(periodMs, to - from)
  const step = span / count
  const changes = new Float64Array(count + 1)
  const addStretch = (start: number, end: number, weight: number) => {
    const first = Math.max(0, Math.floor(start / step - 0.5) + 1)
    const beyond = Math.min(count, Math.floor(end / step - 0.5) + 1)
    if (first >= beyond) return
    changes[first] += weight
    changes[beyond] -= weight
  }
  return {
    phases: Float64Array.from({ length: count }, (_, index) => from + (index + 0.5) * step),
    add(arcFrom, arcTo, weight) {
      const start = modulo(arcFrom - from, periodMs)
      const end = start + arcTo - arcFrom
      addStretch(start, end, weight)
      if (end >= periodMs) addStretch(-1, end - periodMs, weight)
    },
    totals() {
      let sum = 0
      return changes.subarray(0, count).map((change) => {
        sum += change
        return sum
      })
    },
  }
}
