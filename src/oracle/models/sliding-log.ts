import { countBelow } from '../../kit/numbers.js'
import {
  earlyRefusals,
  fullestWindow,
  type OverfullStarts,
  overfullStarts,
  type UsageAt,
} from '../counting/early-refusals.js'
import { admittedWithin, mostWitnesses, refusalsUncounted, type Tally } from '../counting/tally.js'
import { type Explanation, explanationOf, type Model } from './explanation.js'

/** Admissions beyond the limit, summed over windows that do not overlap: roughly how many are left unexplained. */
const excessOf = (overfull: readonly OverfullStarts[], tally: Tally): number => {
  const { admittedSent, admittedReceived, limit, windowMs } = tally
  let excess = 0
  let free = Number.NEGATIVE_INFINITY
  for (const { from, to, at } of overfull) {
    const first = at - windowMs * Math.floor((at - from) / windowMs)
    for (let b = first; b <= to; b += windowMs) {
      if (b < free) continue
      excess += Math.max(0, countBelow(admittedReceived, b + windowMs) - countBelow(admittedSent, b) - limit)
      free = b + windowMs
    }
  }
  return excess
}

/**
 * Sliding log: a request is admitted if fewer than L were admitted in the last W. Refuted if more than L admissions certainly
 * lie within W, or if fewer than L can lie in the W before a refusal. With L = 3 and W = 60 s: admissions at 0, 30 and 31 s
 * leave room again at 60 s; a fourth at 59 s, or a refusal at 61 s, refutes the model.
 */
const explain = (given: Tally): Explanation => {
  const tally = refusalsUncounted(given)
  const overfull = overfullStarts(tally)
  const early = earlyInLog(tally)
  const most = fullestWindow(overfull)
  const witnesses = most ? admittedWithin(tally, most.at, most.at + tally.windowMs) : []
  return explanationOf(excessOf(overfull, tally), early.length, [...witnesses, ...early.slice(0, mostWitnesses)])
}

/** The first early refusal is enough. */
const isExplained = (given: Tally): boolean => {
  const tally = refusalsUncounted(given)
  return excessOf(overfullStarts(tally), tally) === 0 && earlyInLog(tally, 1).length === 0
}

export const slidingLog: Model = { explain, isExplained }

/**
 * How many admissions have to be left out so that at most L lie within W; each one left out no longer counts for later ones.
 * More exact than {@link slidingLog}, which checks windows that do not overlap.
 */
export const leftOutOfLog = ({ admittedSent, admittedReceived, limit, windowMs }: Tally): number => {
  const leftOut: number[] = []
  let [before, outBefore] = [0, 0]
  for (const [k, b] of admittedReceived.entries()) {
    while (admittedSent[before] <= b - windowMs) before++
    while (leftOut[outBefore] <= b - windowMs) outBefore++
    if (k + 1 - before - (leftOut.length - outBefore) > limit) leftOut.push(b)
  }
  return leftOut.length
}

const earlyInLog = (tally: Tally, most?: number): number[] => {
  const { limit, windowMs, spentReceived } = tally
  // All early refusals leave the log together, W after the first: exact enough for a count that decides no verdict.
  let enteredMs = 0
  const fading = (sinceMs: number, count: number) => {
    enteredMs = count === 0 ? 0 : enteredMs + sinceMs
    return enteredMs >= windowMs ? 0 : count
  }
  const usageAt: UsageAt = (sent, instant) => sent - countBelow(spentReceived, instant - windowMs)
  return earlyRefusals(tally, usageAt, limit, fading, most)
}
