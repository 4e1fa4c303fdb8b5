import { type Explanation, explanationOf } from './explanation.js'
import { outcomes } from './history.js'
import { countBelow } from './sorted-counts.js'
import type { Tally } from './tally.js'

/** The instant at which a window opened, and the instant from which on the window before it is certainly over. */
interface Opening {
  readonly low: number
  readonly high: number
  readonly afterMs: number
}

/**
 * Fixed window that the first request after the last one's end opens. Each window's start is known as an interval: not
 * before the last one can have ended and something was there to open it, and not after the answer to the first
 * request that certainly came later. What was sent after the last window's latest end and answered before this one's
 * earliest end is certainly in it.
 */
export const explainFirstRequest = (tally: Tally): Explanation => {
  const { history, windowMs, limit } = tally
  const found = { over: 0, early: 0, admissions: [] as number[], refusals: [] as number[] }
  let nextRefused = 0
  for (const opening of openingsOf(tally)) {
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
  return explanationOf(found.over, found.early, [...found.admissions, ...found.refusals])
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

/** Window by window, as long as something certainly came after the last one. */
function* openingsOf(tally: Tally): Generator<Opening> {
  const { size, sentMs, priorUntilMs } = tally.history
  const starts = quietStarts(tally).filter((start) => start > 0)
  // A window that others opened before the run may be open for another W.
  yield* openingsWithin(tally, 0, starts[0] ?? size, priorUntilMs, priorUntilMs + tally.windowMs)
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
