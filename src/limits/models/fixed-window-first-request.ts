import { onceFor } from '../../kit/once-for.js'
import { countBelow } from '../counting/sorted-counts.js'
import { admittedWithin, type Tally } from '../counting/tally.js'
import { isExplainedByChain } from '../counting/window-chain.js'
import { type Opening, openingsOf } from '../counting/window-openings.js'
import { outcomes } from '../history.js'
import { type Explanation, explained, explanationOf } from './explanation.js'

/** What has to be explained away, and a few of the exchanges that show it. */
interface WindowViolations {
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
export const explainFirstRequest = onceFor((tally: Tally): Explanation => {
  const { history, windowMs } = tally
  const { priorUntilMs } = history
  const found = violationsOf(tally, openingsOf(tally, priorUntilMs, priorUntilMs + windowMs))
  const isExplained = found.over + found.early === 0
  if (!isExplained || priorUntilMs === Number.NEGATIVE_INFINITY) return explanationOfViolations(found)
  if (isExplainedByChain(tally, { onGrid: false })) return explained
  return explanationOfViolations(closestPriorEnd(tally))
})

const explanationOfViolations = ({ over, early, admissions, refusals }: WindowViolations): Explanation =>
  explanationOf(over, early, [...admissions, ...refusals])

const endsLookedAt = 16

/** The fewest violations among a few ends of the window that may have been open before the run; at least one. */
const closestPriorEnd = (tally: Tally): WindowViolations => {
  const { history, windowMs, limit, admittedReceived } = tally
  const tried = Array.from({ length: endsLookedAt }, (_, index) => {
    const end = history.priorUntilMs + (index * windowMs) / (endsLookedAt - 1)
    const inPrior = Math.max(0, countBelow(admittedReceived, end) - limit)
    const found = violationsOf(tally, openingsOf(tally, end, end))
    const admissions = inPrior > 0 ? admittedWithin(tally, history.sentMs[0], end) : found.admissions
    return { ...found, over: found.over + inPrior, admissions }
  })
  const cost = ({ over, early }: WindowViolations) => over + early
  const closest = tried.reduce((best, each) => (cost(each) < cost(best) ? each : best))
  if (cost(closest) > 0) return closest
  // What no end of it explains may be explained by the few that are looked at, which are known as intervals only.
  const admissions = admittedWithin(tally, history.sentMs[0], history.priorUntilMs + windowMs)
  const refusals = Array.from(tally.refused.subarray(0, 1))
  return { over: 1 - refusals.length, early: refusals.length, admissions, refusals }
}

const violationsOf = (tally: Tally, openings: Iterable<Opening>): WindowViolations => {
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
