import { countBelow, countUpTo } from '../../kit/numbers.js'
import { type History, isDecided } from '../../readings/history.js'
import { earlyRefusals, excessOf, fullestWindow, overfullStarts } from '../counting/early-refusals.js'
import { admittedWithin, mostWitnesses, refusalsUncounted, type Tally } from '../counting/tally.js'
import {
  excessAtPhase,
  type PhaseRange,
  type Stretch,
  type ViolatedSpan,
  type Violations,
  violates,
  violationsIn,
} from '../counting/weighted-count.js'
import { type Explanation, explanationOf } from './explanation.js'

/**
 * Sliding counter: the count of this window and, weighted by the share of it that still lies within the last W, that of
 * the window before. Refuted where for every phase of the grid the weighted count certainly is L + 1 or more after an
 * admission, or L - 1 or less at a refusal; in between, rounding up and rounding down are both honest.
 *
 * Example, with L = 60 and W = 60 s: 41 requests in the last minute and 20 in this one, which is 15 s old, count 41 x
 * 45/60 + 20 = 50.75. Who rounds the share down admits ten more (60.75), who rounds it up admits nine and then refuses
 * (59.75). An eleventh admission (61.75), or a refusal after eight (58.75), refutes the model.
 */
export const explainSlidingCounter = (given: Tally): Explanation => {
  const tally = refusalsUncounted(given)
  let [over, early] = [0, 0]
  const witnesses: number[] = []
  for (const stretch of stretchesOf(tally)) {
    if (!isRefuted(tally, stretch)) continue
    const closest = closestOf(tally, stretch)
    over += closest.over
    early += closest.early
    if (witnesses.length < mostWitnesses)
      witnesses.push(...closest.worst.flatMap((witness) => indicesOf(tally, witness)))
  }
  return explanationOf(over, early, witnesses)
}

/** {@link explainSlidingCounter} without what refutes it, which takes most of its time. */
export const isExplainedBySlidingCounter = (given: Tally): boolean => {
  const tally = refusalsUncounted(given)
  for (const stretch of stretchesOf(tally)) if (isRefuted(tally, stretch)) return false
  return true
}

const indicesOf = (tally: Tally, { kind, k }: ViolatedSpan): readonly number[] => {
  if (kind === 'early') return [tally.refused[k]]
  const answered = tally.admittedReceived[k]
  return admittedWithin(tally, answered - tally.windowMs, answered)
}

/**
 * Parts of the history between silences that may have been longer than W at the limiter: some implementations start a
 * new grid after such a silence. Requests that no limiter need have been asked about end none.
 *
 * Example, with W = 1 s: one request is sent at 0 s and answered at 0.4 s, the next is sent at 1.2 s and answered at
 * 1.5 s. They are 0.8 s apart on the line, and up to 1.5 s where they were decided. What was answered beyond the
 * silence by one side, and before its end by the other, is held to no grid.
 */
function* stretchesOf({ history, admittedReceived, refused, windowMs }: Tally): Generator<Stretch> {
  const { sentMs, receivedMs, outcome } = history
  const firstAnswer = firstAnswerFrom(history)
  let [admittedFrom, refusedFrom, refusedTo] = [0, 0, 0]
  let [lastSent, lastAnswer] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < history.size; i++) {
    if (!isDecided(outcome[i])) continue
    if (firstAnswer[i] - lastSent >= windowMs) {
      const admittedTo = Math.max(admittedFrom, countBelow(admittedReceived, firstAnswer[i]))
      yield { admittedFrom, admittedTo, refusedFrom, refusedTo }
      admittedFrom = Math.max(admittedFrom, countUpTo(admittedReceived, lastAnswer))
      refusedFrom = refusedTo
    }
    lastSent = sentMs[i]
    lastAnswer = Math.max(lastAnswer, receivedMs[i])
    if (refused[refusedTo] === i) refusedTo++
  }
  yield { admittedFrom, admittedTo: admittedReceived.length, refusedFrom, refusedTo }
}

/** For each request when the first answer of it and of those sent after it was there. */
const firstAnswerFrom = ({ size, receivedMs, outcome }: History): Float64Array => {
  const first = new Float64Array(size)
  let soonest = Number.POSITIVE_INFINITY
  for (let i = size - 1; i >= 0; i--) {
    if (isDecided(outcome[i])) soonest = Math.min(soonest, receivedMs[i])
    first[i] = soonest
  }
  return first
}

/** Phases closer together than this share of W are not told apart: 0.9 ms of a minute, less than a round trip. */
const finestShare = 1 / 65_536
/** The ranges of phases that a search begins with. */
const firstRanges = 16
/** Exchanges that refuted other ranges are tried on a range first, so many of them: nearly always one does it. */
const mostKnown = 48
/** What trying one of these takes, in looks at an exchange: it searches for the counts of its window. */
const costOfKnown = 50
/** Looks at an exchange in one search; a search that takes more proves nothing, so the model counts as explaining. */
const mostLooks = 60_000_000

/**
 * Branch and bound over the circle of phases: a range is dropped when some exchange refutes all of it, else it is
 * halved. False where some phase explains the part of the history, and where the search gives up, for then nothing is
 * proven.
 */
const isRefuted = (tally: Tally, stretch: Stretch): boolean => {
  const { windowMs } = tally
  const judge = phaseJudge(tally, stretch)
  const ranges: PhaseRange[] = Array.from({ length: firstRanges }, (_, index) => ({
    from: (index * windowMs) / firstRanges,
    width: windowMs / firstRanges,
  }))
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    if (judge.isRefuted(range)) continue
    const half = range.width / 2
    const middle = range.from + half
    if (half < windowMs * finestShare || judge.looks() > mostLooks || !judge.isRefuted({ from: middle, width: 0 }))
      return false
    ranges.push({ from: middle, width: half }, { from: range.from, width: half })
  }
  return true
}

/** Tries the exchanges that refuted other ranges first, the latest of them before the others; then all exchanges. */
const phaseJudge = (tally: Tally, stretch: Stretch) => {
  const passCost = stretch.admittedTo - stretch.admittedFrom + stretch.refusedTo - stretch.refusedFrom
  const known: ViolatedSpan[] = []
  let looks = 0
  return {
    looks: () => looks,
    isRefuted(range: PhaseRange): boolean {
      looks += costOfKnown * known.length
      const index = known.findIndex((witness) => violates(tally, witness, range))
      if (index >= 0) {
        known.unshift(...known.splice(index, 1))
        return true
      }
      looks += passCost
      const { worst } = violationsIn(tally, stretch, range)
      known.unshift(...worst)
      known.length = Math.min(known.length, mostKnown)
      return worst.length > 0
    },
  }
}

/** How often the space between the phases that are tried is halved about the best of them. */
const halvings = 4

/** Where every phase is refuted: what the best of a few evenly spaced ones, and of some beside it, leaves unexplained. */
const closestOf = (tally: Tally, stretch: Stretch): Violations => {
  const { windowMs } = tally
  const at = (phase: number) => {
    const found = violationsIn(tally, stretch, { from: phase, width: 0 })
    return { ...found, over: excessAtPhase(tally, stretch, phase), phase }
  }
  const closer = (one: ReturnType<typeof at>, other: ReturnType<typeof at>) =>
    other.over + other.early < one.over + one.early ? other : one
  const evenly = Array.from({ length: firstRanges }, (_, index) => at(((index + 0.5) * windowMs) / firstRanges))
  let best = evenly.reduce(closer)
  for (let halved = 1; halved <= halvings; halved += 1) {
    const step = windowMs / firstRanges / 2 ** halved
    best = [at(best.phase - step), at(best.phase + step)].reduce(closer, best)
  }
  return best
}

/**
 * Sliding log: a request is admitted when fewer than L were admitted in the last W. Refuted where more than L
 * admissions certainly lie within W, or where fewer than L can lie in the W before a refusal. With L = 3 and W = 60 s:
 * admissions at 0, 30 and 31 s leave room again at 60 s; a fourth at 59 s, or a refusal at 61 s, refutes the model.
 */
export const explainSlidingLog = (given: Tally): Explanation => {
  const tally = refusalsUncounted(given)
  const overfull = overfullStarts(tally)
  const early = earlyInLog(tally)
  const most = fullestWindow(overfull)
  const witnesses = most ? admittedWithin(tally, most.at, most.at + tally.windowMs) : []
  return explanationOf(excessOf(overfull, tally), early.length, [...witnesses, ...early.slice(0, mostWitnesses)])
}

/** {@link explainSlidingLog} without what refutes it. */
export const isExplainedBySlidingLog = (given: Tally): boolean => {
  const tally = refusalsUncounted(given)
  return overfullStarts(tally).length === 0 && earlyInLog(tally).length === 0
}

const earlyInLog = (tally: Tally): number[] => {
  const { limit, windowMs, spentReceived } = tally
  // All early refusals leave the log at once, W after the first: exact enough for a count that decides no verdict.
  let enteredMs = 0
  const fading = (sinceMs: number, count: number) => {
    enteredMs = count === 0 ? 0 : enteredMs + sinceMs
    return enteredMs >= windowMs ? 0 : count
  }
  return earlyRefusals(tally, (sent, instant) => sent - countBelow(spentReceived, instant - windowMs), limit, fading)
}
