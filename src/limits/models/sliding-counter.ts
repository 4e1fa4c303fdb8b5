import { countBelow } from '../counting/sorted-counts.js'
import { admittedWithin, type Tally } from '../counting/tally.js'
import {
  type PhaseRange,
  type Stretch,
  type ViolatedSpan,
  type Violations,
  violates,
  violationsIn,
} from '../counting/weighted-count.js'
import { outcomes } from '../history.js'
import { type Explanation, explanationOf } from './explanation.js'

/**
 * Sliding counter: this window's count and the last one's, weighted by the share of it that still lies within W.
 * Refuted where for every phase of the grid the weighted count certainly exceeds L by one or more at an admission, or
 * certainly is L - 1 or less at a refusal (rounding either way is admissible).
 */
export const explainSlidingCounter = (tally: Tally): Explanation => {
  let [over, early] = [0, 0]
  const witnesses: number[] = []
  for (const stretch of stretchesOf(tally)) {
    const closest = searchPhases(tally, stretch)
    if (closest === null) continue
    over += closest.over
    early += closest.early
    if (witnesses.length < 4) witnesses.push(...closest.worst.flatMap((witness) => indicesOf(tally, witness)))
  }
  return explanationOf(over, early, witnesses)
}

const indicesOf = (tally: Tally, { kind, k }: ViolatedSpan): readonly number[] => {
  if (kind === 'early') return [tally.refused[k]]
  const answered = tally.admittedReceived[k]
  return admittedWithin(tally, answered - tally.windowMs, answered)
}

/**
 * After a silence of more than a window some implementations begin a new grid with the next request, others keep
 * theirs. So each stretch between two such silences may have a phase of its own.
 */
function* stretchesOf({ history, admittedReceived, admittedSent, refused, windowMs }: Tally): Generator<Stretch> {
  const { size, sentMs, receivedMs, outcome } = history
  let [admittedFrom, refusedFrom, busyUntil] = [0, 0, Number.POSITIVE_INFINITY]
  for (let i = 0; i < size; i++) {
    if (outcome[i] === outcomes.unknown && receivedMs[i] === Number.POSITIVE_INFINITY) continue
    if (sentMs[i] - busyUntil > windowMs) {
      const admittedTo = countBelow(admittedSent, sentMs[i])
      const refusedTo = countSentBelow(refused, sentMs, sentMs[i])
      yield { admittedFrom, admittedTo, refusedFrom, refusedTo }
      ;[admittedFrom, refusedFrom] = [admittedTo, refusedTo]
    }
    busyUntil = busyUntil === Number.POSITIVE_INFINITY ? receivedMs[i] : Math.max(busyUntil, receivedMs[i])
  }
  yield { admittedFrom, admittedTo: admittedReceived.length, refusedFrom, refusedTo: refused.length }
}

const countSentBelow = (indices: Uint32Array, times: Float64Array, bound: number): number => {
  let [low, high] = [0, indices.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[indices[middle]] < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** Phases are told apart down to this share of a window, and no further. */
const finest = 1 / 65_536
const firstCells = 16
/** Witnesses that are tried on a range before the whole stretch is. */
const mostKnown = 48
/** Steps of one search, after which the model is given the benefit of the doubt. */
const mostWork = 60_000_000

/**
 * Branch and bound over the circle of phases: a range is dropped when some exchange violates for all of it. One phase
 * without a violation explains the stretch (null); so does a search that gives up, for it has proven nothing.
 */
const searchPhases = (tally: Tally, stretch: Stretch): Violations | null => {
  const { windowMs } = tally
  const judge = phaseJudge(tally, stretch)
  const ranges: PhaseRange[] = Array.from({ length: firstCells }, (_, index) => ({
    from: (index * windowMs) / firstCells,
    width: windowMs / firstCells,
  }))
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    if (judge.isRefuted(range)) continue
    const half = range.width / 2
    const middle = range.from + half
    if (half < windowMs * finest || judge.work() > mostWork || !judge.isRefuted({ from: middle, width: 0 })) return null
    ranges.push({ from: middle, width: half }, { from: range.from, width: half })
  }
  return closestOf(tally, stretch)
}

/** Tries the exchanges that have refuted other ranges first, the last successful one before all; then all of them. */
const phaseJudge = (tally: Tally, stretch: Stretch) => {
  const passCost = stretch.admittedTo - stretch.admittedFrom + stretch.refusedTo - stretch.refusedFrom
  const known: ViolatedSpan[] = []
  let work = 0
  return {
    work: () => work,
    isRefuted(range: PhaseRange): boolean {
      work += 50 * known.length
      const index = known.findIndex((witness) => violates(tally, witness, range))
      if (index >= 0) {
        known.unshift(...known.splice(index, 1))
        return true
      }
      work += passCost
      const { worst } = violationsIn(tally, stretch, range)
      known.unshift(...worst)
      known.length = Math.min(known.length, mostKnown)
      return worst.length > 0
    },
  }
}

/** Every phase is refuted: the fewest violations of a few evenly spaced ones. */
const closestOf = (tally: Tally, stretch: Stretch): Violations => {
  const tried = Array.from({ length: firstCells }, (_, index) =>
    violationsIn(tally, stretch, { from: ((index + 0.5) * tally.windowMs) / firstCells, width: 0 }),
  )
  return tried.reduce((best, each) => (each.over + each.early < best.over + best.early ? each : best))
}
