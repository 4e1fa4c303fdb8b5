import { outcomes } from '../history.js'
import { countBelow } from './sorted-counts.js'
import type { Tally } from './tally.js'

/** The instant at which a window opened, and the instant from which on the window before it is certainly over. */
export interface Opening {
  readonly low: number
  readonly high: number
  readonly afterMs: number
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
