import { countBelow, countUpTo, placesOf, risingMaxima, valuesAt } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { firstAnswers, type History, outcomes } from '../../readings/history.js'
import { roundingMs } from '../counting/spans.js'
import { admittedWithin, lastPriorStart, mostWitnesses, refusalsUncounted, type Tally } from '../counting/tally.js'
import {
  clashAtEdge,
  earlyAtPhase,
  excessAtPhase,
  type PhaseRange,
  type Stretch,
  type ViolatedSpan,
  violates,
  worstEarly,
  worstOver,
} from '../counting/weighted-count.js'
import { type Explanation, explained, explanationOf, type Model } from './explanation.js'

/**
 * Sliding counter: the count of this window plus that of the window before, weighted by its share of the last W. Refuted if
 * for every phase of the grid the weighted count is certainly L + 1 or more after an admission, or L - 1 or less at a
 * refusal; in between, rounding up and rounding down are both honest.
 *
 * Example, with L = 60 and W = 60 s: 41 requests in the last minute and 20 in this one, which is 15 s old, count 41 x 45/60 +
 * 20 = 50.75. A limiter that rounds the share down admits ten more (60.75); one that rounds it up admits nine and then
 * refuses (59.75). An eleventh admission (61.75), or a refusal after eight (58.75), refutes the model.
 */
const explain = (given: Tally): Explanation => {
  if (isExplained(given)) return explained
  const tally = refusalsUncounted(given)
  const parts = partsOf(tally)
  // The two extremes: a store that never forgets, and one that forgets in each silence.
  const together = [joined(parts, 0, parts.length)]
  const ways = (parts.length === 1 ? [together] : [together, parts]).map((way) => {
    const closest = way.map((part) => ({ part, ...closestOf(tally, part) }))
    const sum = (count: (one: Closest) => number) => closest.reduce((total, one) => total + count(one), 0)
    return { closest, over: sum(({ over }) => over), early: sum(({ early }) => early) }
  })
  const { over, early, closest } = ways.reduce((best, each) =>
    each.over + each.early < best.over + best.early ? each : best,
  )
  const worst = closest.filter((each) => each.over + each.early > 0).flatMap((each) => worstOf(tally, each.part, each))
  return explanationOf(
    over,
    early,
    worst.slice(0, mostWitnesses).flatMap((witness) => indicesOf(tally, witness)),
  )
}

/**
 * Says no more than that, as the refuting exchanges take most of the time. Each part of the history is counted on the grid of the part before it, or on one that its own first admission began. So a grid that explains several
 * parts in a row also explains what a shorter row leaves to a later grid: it is enough to know how far one can get.
 */
const isExplained = onceFor((given: Tally): boolean => {
  const tally = refusalsUncounted(given)
  const parts = partsOf(tally)
  let explainedTo = 0
  const known: ViolatedSpan[] = []
  for (let first = 0; first <= explainedTo; first++) {
    const explainsTo = (end: number) => !isRefuted(tally, joined(parts, first, end), known)
    if (explainsTo(parts.length)) return true
    while (explainedTo + 1 < parts.length && explainsTo(explainedTo + 1)) explainedTo++
  }
  return false
})

export const slidingCounter: Model = { explain, isExplained }

const indicesOf = (tally: Tally, { kind, k }: ViolatedSpan): readonly number[] => {
  if (kind === 'early') return [tally.refused[k]]
  const answered = tally.admittedReceived[k]
  return admittedWithin(tally, answered - tally.windowMs, answered)
}

/** A stretch of the history, and the possible phases of its grid. */
interface Part extends Stretch {
  readonly phases: PhaseRange
}

/** Consecutive parts, all on the grid of the first. */
const joined = (parts: readonly Part[], first: number, end: number): Part => {
  const { admittedTo, refusedTo } = parts[end - 1]
  return { ...parts[first], admittedTo, refusedTo }
}

/**
 * Parts of the history between silences in which some stores drop a counter, so that the next counted request begins a new
 * grid: where nothing may have been admitted for W, and only the old grid may have refused, before its counter was dropped.
 * Refusals need not be written, and the counter lives for at least two windows from its window's start.
 *
 * Example, with L = 60 and W = 60 s: the window from 0 s on is spent. From 60 s on it weighs less and less, so that without
 * admissions it refuses until 61 s. A request at 120 s is on the same grid, or begins one: 59 s after a refusal.
 */
const partsOf = onceFor((tally: Tally): readonly Part[] => {
  const { history, admittedReceived, refusedSent, windowMs } = tally
  const outcome = asAnswered(history)
  const firstAnswer = firstAdmitted(history)
  const refusedOn = refusalsOnOldGrid(tally)
  const everywhere = { begunBy: Number.NEGATIVE_INFINITY, phases: { from: 0, width: windowMs } }
  const parts: Part[] = []
  let open = { admittedFrom: 0, refusedFrom: 0, ...everywhere }
  let lastSent = Number.NEGATIVE_INFINITY
  for (let i = 0; i < history.size; i++) {
    if (outcome[i] !== outcomes.admitted) continue
    const [to, lastBefore] = [firstAnswer[i], lastSent]
    lastSent = history.sentMs[i]
    // No counter is dropped sooner than that, and most requests come sooner.
    if (to < lastBefore + windowMs) continue
    const refusedFrom = countUpTo(refusedSent, to)
    const { refusedTo, droppedFrom } = refusedOn(lastBefore, refusedFrom)
    if (to < droppedFrom) continue
    const admitted = countBelow(admittedReceived, to)
    parts.push({ ...open, admittedTo: admitted, refusedTo: Math.max(open.refusedFrom, refusedTo) })
    const from = openersOf(history)(droppedFrom)
    const isKnown = to - from < windowMs && !history.isShared
    const begun = isKnown ? { begunBy: to + roundingMs, phases: { from, width: to - from } } : everywhere
    open = { admittedFrom: admitted, refusedFrom, ...begun }
  }
  const { refusedTo } = refusedOn(lastSent, refusedSent.length)
  return [...parts, { ...open, admittedTo: admittedReceived.length, refusedTo: Math.max(open.refusedFrom, refusedTo) }]
})

/**
 * How many of the first refusals must come from the last admission's grid, as a new grid refuses only once L may have been
 * counted on it; and from when on that grid's counter may be dropped.
 */
const refusalsOnOldGrid = (tally: Tally) => {
  const { refusedSent, refusedReceived, askedBeyond, limit, countable, windowMs, spentSent, spentReceived } = tally
  const least = limit - (askedBeyond?.reduce((most, each) => Math.max(most, each), 0) ?? 0)
  const answeredBy = risingMaxima(refusedReceived)
  const silentMs = windowMs * Math.max(0, (least - 1) / countable)
  return (lastAdmissionSent: number, among: number) => {
    const since = Math.max(lastAdmissionSent + windowMs, lastPriorStart(tally))
    const counted = Math.ceil(countUpTo(spentReceived, since) + least)
    // Those answered before as many were sent as they would need to be counted on a new grid.
    const refusedBy = counted > 0 ? (spentSent[counted - 1] ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY
    const refusedTo = Math.min(among, countBelow(answeredBy, refusedBy))
    const refusedMs = refusedTo > 0 ? refusedSent[refusedTo - 1] : Number.NEGATIVE_INFINITY
    return { refusedTo, droppedFrom: Math.max(since, refusedMs + silentMs) }
  }
}

const asAnswered = ({ answered, outcome }: History): Uint8Array => answered ?? outcome

/** For each index, the earliest answer to an admission from it on. */
const firstAdmitted = onceFor((history: History): Float64Array => {
  const outcome = asAnswered(history)
  return firstAnswers(history, (i) => outcome[i] === outcomes.admitted)
})

/** The first instant, at or after a given one, at which a request that may have been counted can have been decided. */
const openersOf = onceFor((history: History): ((since: number) => number) => {
  const { sentMs, receivedMs } = history
  const outcome = asAnswered(history)
  const openers = Uint32Array.from(placesOf(history.size, (i) => outcome[i] !== outcomes.refused))
  const sent = valuesAt(sentMs, openers)
  const answeredBy = risingMaxima(valuesAt(receivedMs, openers))
  return (since) => {
    const before = countBelow(sent, since)
    return before > 0 && answeredBy[before - 1] >= since ? since : sent[before]
  }
})

/** Phases closer together than this share of W are not told apart: 0.9 ms of a minute, less than a round trip. */
const finestShare = 1 / 65_536
/** The ranges of phases that a search begins with. */
const firstRanges = 16
/** How many exchanges that refuted other ranges are tried first on a range: nearly always one of them refutes it. */
const mostKnown = 48
/** The cost of trying one of these, in looks at an exchange: it searches for the counts of its window. */
const costOfKnown = 50
/** The most looks at an exchange in one search; beyond that nothing is proven, so the model counts as explaining. */
const mostLooks = 60_000_000

/**
 * Branch and bound over the possible phases of a grid: a range is dropped if some exchange refutes all of it, else halved.
 * False if some phase explains the part of the history, or if the search gives up, since then nothing is proven.
 */
const isRefuted = (tally: Tally, part: Part, known: ViolatedSpan[]): boolean => {
  const { windowMs } = tally
  const judge = phaseJudge(tally, part, known)
  const width = part.phases.width / firstRanges
  const ranges = Array.from(
    { length: firstRanges },
    (_, i): PhaseRange => ({ from: part.phases.from + i * width, width }),
  )
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

/** Tries the exchanges that refuted other ranges first, the latest first; then all exchanges. */
const phaseJudge = (tally: Tally, stretch: Stretch, known: ViolatedSpan[]) => {
  const passCost = stretch.admittedTo - stretch.admittedFrom + stretch.refusedTo - stretch.refusedFrom
  let looks = 0
  return {
    looks: () => looks,
    isRefuted(range: PhaseRange): boolean {
      looks += costOfKnown * known.length
      const index = known.findIndex((witness) => isOf(stretch, witness) && violates(tally, stretch, witness, range))
      if (index > 0) known.unshift(...known.splice(index, 1))
      if (index >= 0) return true
      looks += passCost
      const worst = worstOver(tally, stretch, range) ?? worstEarly(tally, stretch, range)
      if (worst === null) return clashAtEdge(tally, stretch, range) !== null
      known.unshift(worst)
      known.length = Math.min(known.length, mostKnown)
      return true
    },
  }
}

const isOf = (stretch: Stretch, { kind, k }: ViolatedSpan): boolean =>
  kind === 'over'
    ? k >= stretch.admittedFrom && k < stretch.admittedTo
    : k >= stretch.refusedFrom && k < stretch.refusedTo

/** How often the spacing of the tried phases is halved around the best of them. */
const halvings = 4
/** The best of these phases leaves about this share of the limit more, or less, unexplained than the best of all. */
export const phaseErrorShare = 1 / (firstRanges * 2 ** (halvings + 1))
/** About how many refusals are sampled to decide which phases to try first. */
const sampledRefusals = 2000

/** What one phase leaves unexplained: how many admissions and refusals. */
interface Closest {
  readonly phase: number
  readonly over: number
  readonly early: number
}

/** What the best of a few evenly spaced phases, and of some next to it, leaves unexplained. */
const closestOf = (tally: Tally, part: Part): Closest => {
  const { from, width } = part.phases
  let best: Closest = { phase: from, over: Number.POSITIVE_INFINITY, early: 0 }
  const stride = Math.ceil((part.refusedTo - part.refusedFrom) / sampledRefusals)
  const tryAt = (phases: readonly number[]) => {
    const known = phases.map((phase) => {
      const over = excessAtPhase(tally, part, phase)
      return { phase, over, about: over + stride * earlyAtPhase(tally, part, phase, { stride }) }
    })
    // The best by the sample first: counting refusals at the others stops once they are known to be worse.
    for (const { phase, over } of known.sort((a, b) => a.about - b.about)) {
      const least = best.over + best.early
      const apart = over < least ? earlyAtPhase(tally, part, phase, { enough: least - over }) : 0
      const early = over + apart > 0 ? apart : Number(clashAtEdge(tally, part, { from: phase, width: 0 }) !== null)
      if (over + early < least) best = { phase, over, early }
    }
  }
  tryAt(Array.from({ length: firstRanges }, (_, index) => from + ((index + 0.5) * width) / firstRanges))
  for (let halved = 1; halved <= halvings; halved += 1) {
    const step = width / firstRanges / 2 ** halved
    tryAt([best.phase - step, best.phase + step])
  }
  return best
}

/** The worst admission, and the worst refusal, at the phase that leaves the least unexplained. */
const worstOf = (tally: Tally, part: Part, { phase }: Closest): readonly ViolatedSpan[] => {
  const range = { from: phase, width: 0 }
  const apart = [worstOver(tally, part, range), worstEarly(tally, part, range)].filter((each) => each !== null)
  return apart.length > 0 ? apart : [clashAtEdge(tally, part, range)].filter((each) => each !== null)
}
