import { earlyRefusals } from '../counting/early-refusals.js'
import { excessOf, fullestWindow, overfullStarts } from '../counting/overfull-windows.js'
import { countBelow } from '../counting/sorted-counts.js'
import { admittedWithin, type Tally } from '../counting/tally.js'
import { type Explanation, explanationOf } from './explanation.js'

/**
 * Sliding log: a request is admitted when fewer than L were admitted in the last W. Refuted where more than L
 * admissions lie within a span shorter than W, or where a refusal finds fewer than L possible ones in the W before it.
 */
export const explainSlidingLog = (tally: Tally): Explanation => {
  const { limit, windowMs, spentReceived } = tally
  const overfull = overfullStarts(tally)
  // As a whole they leave the window when one of them does: near enough for a count of what to explain away.
  let enteredMs = 0
  const fading = (sinceMs: number, count: number) => {
    enteredMs = count === 0 ? 0 : enteredMs + sinceMs
    return enteredMs >= windowMs ? 0 : count
  }
  const early = earlyRefusals(
    tally,
    (sent, instant) => sent - countBelow(spentReceived, instant - windowMs),
    limit,
    fading,
  )
  const most = fullestWindow(overfull)
  const witnesses = most ? admittedWithin(tally, most.at, most.at + windowMs) : []
  return explanationOf(excessOf(overfull, tally), early.length, [...witnesses, ...early.slice(0, 4)])
}
