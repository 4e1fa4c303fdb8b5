import { countBelow } from '../../kit/sorted-counts.js'
import { earlyRefusals } from '../counting/early-refusals.js'
import { excessOf, fullestWindow, overfullStarts } from '../counting/overfull-windows.js'
import { admittedWithin, mostWitnesses, refusalsUncounted, type Tally } from '../counting/tally.js'
import { type Explanation, explanationOf } from './explanation.js'

/**
 * Sliding log: a request is admitted when fewer than L were admitted in the last W. Refuted where more than L
 * admissions certainly lie within W, or where fewer than L can lie in the W before a refusal. With L = 3 and W = 60 s:
 * admissions at 0, 30 and 31 s leave room again at 60 s; a fourth at 59 s, or a refusal at 61 s, refutes the model.
 */
export const explainSlidingLog = (given: Tally): Explanation => {
  const tally = refusalsUncounted(given)
  const { limit, windowMs, spentReceived } = tally
  const overfull = overfullStarts(tally)
  // All early refusals leave the log at once, W after the first: exact enough for a count that decides no verdict.
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
  return explanationOf(excessOf(overfull, tally), early.length, [...witnesses, ...early.slice(0, mostWitnesses)])
}
