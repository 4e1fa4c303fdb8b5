import { type Explanation, explained, explanationOf } from './explanation.js'
import { outcomes } from './history.js'
import { oncePerTally } from './once-per-tally.js'
import { countBelow } from './sorted-counts.js'
import { admittedWithin, type Tally } from './tally.js'
import { isExplainedByChain } from './window-chain.js'

/** The instant at which a window opened, and the instant from which on the window before it is certainly over. */
interface Opening {
  readonly low: number
  readonly high: number
  readonly afterMs: number
}

/** What has to be explained away, and a few of the exchanges that show it. */
interface Violations {
  readonly over: number
  readonly early: number
  readonly admissions: readonly number[]
  readonly refusals: readonly number[]
}

/**
 * Fixed window that the first request after the last one's end opens. Each window's start is known as an interval: not
 * before the last one can have ended and something was there to open it, and not after the answer to the first
 * request that certainly came later. What was sent after the last window's latest end and answered before this one's
 * earliest end is certainly in it. Where the key may have been used before the run, the end of a window that was open
 * then is searched.
 */
export const explainFirstRequest = oncePerTally((tally: Tally): Explanation => {
  const { history, windowMs } = tally
  const { priorUntilMs } = history
  const found = violationsOf(tally, openingsOf(tally, priorUntilMs, priorUntilMs + windowMs))
  const isExplained = found.over + found.early === 0
  if (!isExplained || priorUntilMs === Number.NEGATIVE_INFINITY) return explanationOfViolations(found)
  if (isExplainedByChain(tally, { onGrid: false })) return explained
  return explanationOfViolations(closestPriorEnd(tally))
})

const explanationOfViolations = ({ over, early, admissions, refusals }: Violations): Explanation =>
  explanationOf(over, early, [...admissions, ...refusals])

const endsLookedAt = 16

/** The fewest violations among a few ends of the window that may have been open before the run; at least one. */
const closestPriorEnd = (tally: Tally): Violations => {
  const { history, windowMs, limit, admittedReceived } = tally
  const tried = Array.from({ length: endsLookedAt }, (_, index) => {
    const end = history.priorUntilMs + (index * windowMs) / (endsLookedAt - 1)
    const inPrior = Math.max(0, countBelow(admittedReceived, end) - limit)
    const found = violationsOf(tally, openingsOf(tally, end, end))
    const admissions = inPrior > 0 ? admittedWithin(tally, history.sentMs[0], end) : found.admissions
    return { ...found, over: found.over + inPrior, admissions }
  })
  const cost = ({ over, early }: Violations) => over + early
  const closest = tried.reduce((best, each) => (cost(each) < cost(best) ? each : best))
  // What no end of it explains may be explained by the few that are looked at, which are known as intervals only.
  return cost(closest) > 0
    ? closest
    : { ...closest, over: 1, admissions: admittedWithin(tally, history.sentMs[0], history.priorUntilMs + windowMs) }
}

const violationsOf = (tally: Tally, openings: Iterable<Opening>): Violations => {
  const { history, windowMs, limit } = tally
  const found = { over: 0, early: 0, admissions: [] as number[], refusals: [] as number[] }
  let nextRefused = 0
  for (const opening of openings) {
    const admissions = certainlyIn(tally, opening)
    if (admissions.length > limit) {
      if (found.over === 0) found.admissions = [admissions[0], ...admissions.slice(-3)]
      found.over += admissions.length - limit
    }
    const endMs = opening.high + windowMs
    // Each refusal that is explained away counts as a spending for those after it.
    let explainedAway = 0
    for (; nextRefused < tally.refused.length; nextRefused++) {
      const index = tally.refused[nextRefused]
      if (history.sentMs[index] >= endMs) break
      if (history.sentMs[index] < opening.afterMs) continue
      if (mostSpent(tally, nextRefused, opening.low) + explainedAway >= limit) continue
      explainedAway++
      if (found.refusals.length < 4) found.refusals.push(index)
    }
    found.early += explainedAway
  }
  return found
}

/** How much of a window that starts at `low` or later can have been spent when the k-th refusal was decided. */
const mostSpent = ({ spentBefore, spentReceived }: Tally, k: number, low: number): number =>
  spentBefore[k] - countBelow(spentReceived, low)

const certainlyIn = ({ history, windowMs }: Tally, { low, afterMs }: Opening): number[] => {
  const found: number[] = []
  const endMs = low + windowMs
  for (let i = countBelow(history.sentMs, afterMs); i < history.size && history.sentMs[i] < endMs; i++) {
    if (history.outcome[i] === outcomes.admitted && history.receivedMs[i] < endMs) found.push(i)
  }
  return found
}

/**
 * The places at which a request was sent a whole window or more after the last answer before it, and after any use that
 * is not known: whatever window was open is over then, so that the chain of uncertain starts begins anew.
 */
const quietStarts = ({ history, windowMs }: Tally): number[] => {
  const { size, sentMs, receivedMs, outcome, priorUntilMs } = history
  const starts: number[] = []
  let heardUntil = priorUntilMs
  let isOpen = false
  for (let i = 0; i < size; i++) {
    if ((isOpen || i === 0) && sentMs[i] >= heardUntil + windowMs) {
      starts.push(i)
      isOpen = false
    }
    // A refusal opens no window: it lies in one that something beside it has opened.
    if (outcome[i] === outcomes.refused) continue
    heardUntil = Math.max(heardUntil, receivedMs[i])
    isOpen = true
  }
  return starts
}

/** Window by window, as long as something certainly came after the last one; what was open before the run ended within [lowEnd, highEnd]. */
function* openingsOf(tally: Tally, lowEnd: number, highEnd: number): Generator<Opening> {
  const { size, sentMs } = tally.history
  const starts = quietStarts(tally).filter((start) => start > 0)
  yield* openingsWithin(tally, 0, starts[0] ?? size, lowEnd, highEnd)
  for (const [place, start] of starts.entries()) {
    yield* openingsWithin(tally, start, starts[place + 1] ?? size, sentMs[start], sentMs[start])
  }
}

/** The openings among the requests in [from, to), where the window before them ended within [lowEnd, highEnd]. */
function* openingsWithin(
  { history, windowMs }: Tally,
  from: number,
  to: number,
  lowEnd: number,
  highEnd: number,
): Generator<Opening> {
  const { sentMs, receivedMs, outcome } = history
  const isCertain = (i: number) => outcome[i] === outcomes.admitted || outcome[i] === outcomes.refused
  let opener = from
  while (true) {
    while (opener < to && (outcome[opener] === outcomes.refused || receivedMs[opener] < lowEnd)) opener++
    const high = firstAnswer(Math.max(from, countBelow(sentMs, highEnd)), to, sentMs, receivedMs, isCertain)
    if (high === Number.POSITIVE_INFINITY) return
    // Where only refusals came later nothing can have opened the window that they must lie in: it holds nothing.
    const low = opener === to ? Number.POSITIVE_INFINITY : Math.max(lowEnd, sentMs[opener])
    yield { low, high, afterMs: highEnd }
    if (opener === to) return
    lowEnd = low + windowMs
    highEnd = high + windowMs
  }
}

/** The earliest answer of those from `start` on that count; nothing sent after it can be earlier. */
const firstAnswer = (
  start: number,
  size: number,
  sentMs: Float64Array,
  receivedMs: Float64Array,
  isCertain: (i: number) => boolean,
): number => {
  let earliest = Number.POSITIVE_INFINITY
  for (let i = start; i < size && sentMs[i] < earliest; i++) {
    if (isCertain(i) && receivedMs[i] < earliest) earliest = receivedMs[i]
  }
  return earliest
}
