import { countBelow } from '../../kit/sorted-counts.js'
import { outcomes } from '../../readings/history.js'
import type { Tally } from './tally.js'

/**
 * A window opened within [low, high], and the one before it was over by `afterMs`. Example, with W = 60 s: a request
 * sent at 0 s and answered at 0.2 s opens a window within [0, 0.2] s, so that it ends within [60, 60.2] s. One that is
 * sent at 60.1 s may be its last or open the next; one that is sent at 70 s and answered at 70.3 s is certainly in the
 * next. So that opens within [60.1, 70.3] s.
 */
export interface Opening {
  readonly low: number
  readonly high: number
  readonly afterMs: number
}

/**
 * The requests that were sent W or more after the last answer before them, and after any use before the run: whatever
 * window was open is over then, so that how well earlier starts are known no longer matters.
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
    // A refusal opens no window: another request opened the one that it is in.
    if (outcome[i] === outcomes.refused) continue
    heardUntil = Math.max(heardUntil, receivedMs[i])
    isOpen = true
  }
  return starts
}

/** Every window in turn, while something certainly came later. That before the run ended within [lowEnd, highEnd]. */
export function* openingsOf(tally: Tally, lowEnd: number, highEnd: number): Generator<Opening> {
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
    // Where only refusals came later, nothing can have opened the window that they would have to be in.
    const low = opener === to ? Number.POSITIVE_INFINITY : Math.max(lowEnd, sentMs[opener])
    yield { low, high, afterMs: highEnd }
    if (opener === to) return
    lowEnd = low + windowMs
    highEnd = high + windowMs
  }
}

/** The earliest answer to a request from `start` on that was admitted or refused; Infinity where there is none. */
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
