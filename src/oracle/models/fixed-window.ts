import { countBelow } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { outcomes, type Span } from '../../readings/history.js'
import { explainGrid, isExplainedByGrid } from '../counting/grid-windows.js'
import { admittedWithin, mostWitnesses, type Tally } from '../counting/tally.js'
import { isExplainedByChain, type Opening, openingsOf } from '../counting/window-chain.js'
import { type Explanation, explained, explanationOf, type Model, type Refutation } from './explanation.js'

/** Windows on a grid, of which the phases are known that it may have. */
const onGridWith = (phasesOf: (tally: Tally) => Span): Model => ({
  explain: onceFor((tally) => explainGrid(tally, phasesOf(tally))),
  isExplained: onceFor((tally) => isExplainedByGrid(tally, phasesOf(tally))),
})

/**
 * The whole quota comes back every W, on a grid that began with the key's first use ever, so its phase is unknown. A key that
 * was first used at 12:00:17 gets its minute's quota back at 12:01:17, 12:02:17 and so on.
 */
export const intervalRefill = onGridWith(({ windowMs }) => ({ from: 0, to: windowMs }))

/** A double near 1.8e12 ms, today's epoch, is exact to 0.0003 ms; this is well beyond it. */
const epochRoundingMs = 0.01

/** Where the multiples of W on the target's wall clock lie on the run's clock; anywhere if its offset is unknown. */
const clockPhases = ({ history, windowMs }: Tally): Span => {
  const offset = history.targetEpochOffsetMs
  if (offset === null) return { from: 0, to: windowMs }
  return { from: -offset.to - epochRoundingMs, to: -offset.from + epochRoundingMs }
}

/**
 * Fixed window aligned with the clock: boundaries at the multiples of W on the target's wall clock, so at 12:00:00, 12:01:00
 * and so on. They are known as exactly as that clock is; if it is unknown, every phase is allowed. A key may get 60 requests
 * at 12:00:59.9 and 60 more at 12:01:00.1, which is honest.
 */
export const fixedWindow = onGridWith(clockPhases)

/** How many exchanges the model leaves unexplained, and a few of them. */
interface WindowViolations {
  readonly over: number
  readonly early: number
  readonly admissions: readonly number[]
  readonly refusals: readonly number[]
}

/**
 * Fixed window opened by a request: the first one after the end of the window before. Each start is known as an interval
 * ({@link Opening}). A request sent after the latest end of the window before, and answered before the earliest end of this
 * one, is certainly in it. If the key may have been used before the run, the end of the window that may have been open then
 * is searched.
 *
 * Example, with L = 3 and W = 60 s: a request sent at 0 s and answered at 0.2 s opens a window. Whatever is answered before
 * 60 s is in it: a fourth admission at 59 s refutes the model, as does a refusal at 59 s after two admissions. At 60.1 s
 * nothing is certain, since the window ends between 60 and 60.2 s.
 */
const explainFirstRequest = onceFor((tally: Tally): Explanation => {
  const found = violationsOf(tally, firstOpenings(tally))
  if (found.over + found.early > 0) return explanationOfViolations(found)
  return isOfChain(tally) ? explained : explanationOfViolations(closestPriorEnd(tally))
})

const firstOpenings = (tally: Tally): Iterable<Opening> => {
  const { priorUntilMs } = tally.history
  return openingsOf(tally, priorUntilMs, priorUntilMs + tally.windowMs)
}

/** Whether nobody can have used the key before the run. */
const isUnused = ({ history }: Tally): boolean => history.priorUntilMs === Number.NEGATIVE_INFINITY

/** Whether a window that was open before the run, if there may be one, leads to a chain of windows. */
const isOfChain = (tally: Tally): boolean => isUnused(tally) || isExplainedByChain(tally, { onGrid: false })

/** The first violation is enough. */
const isExplainedByFirstRequest = onceFor((tally: Tally): boolean => {
  const { over, early } = violationsOf(tally, firstOpenings(tally), 1)
  return over + early === 0 && isOfChain(tally)
})

export const firstRequest: Model = { explain: explainFirstRequest, isExplained: isExplainedByFirstRequest }

/**
 * Interval refill in a store that forgets idle keys. Once a window with admissions is over, its
 * state says no more than a full quota does and may be dropped: the next window is on the same grid, or starts with the next
 * request. Windows do not overlap. A store that never forgets and one that forgets at once are the two extremes.
 *
 * Example, with W = 60 s: a grid that began at 0 s, with the last request at 30 s. A request at 150 s is in the window [120,
 * 180) s, or opens [150, 210) s. Both are honest; a window [90, 150) s is not.
 */
export const idleRefill: Model = {
  explain(tally) {
    if (idleRefill.isExplained(tally)) return explained
    // What refutes the model: what the better of its two extremes leaves unexplained.
    const refuted = [intervalRefill, firstRequest]
      .map((extreme) => extreme.explain(tally))
      .filter((each) => each.verdict === 'refuted')
    return refuted.reduce((best, each) => (costOf(each) < costOf(best) ? each : best))
  },
  isExplained: onceFor(
    (tally) =>
      intervalRefill.isExplained(tally) ||
      isExplainedByChain(tally, { onGrid: true }) ||
      // With use before the run, that is a chain as well.
      (isUnused(tally) && firstRequest.isExplained(tally)),
  ),
}

const costOf = ({ overAdmitted, earlyRefused }: Refutation): number => overAdmitted + earlyRefused

const explanationOfViolations = ({ over, early, admissions, refusals }: WindowViolations): Explanation =>
  explanationOf(over, early, [...admissions, ...refusals])

/** How many ends are tried, W/15 apart: the closest one is only reported and decides no verdict. */
const triedEnds = 16

/** What the best of a few ends of the window open before the run leaves unexplained; at least one exchange. */
const closestPriorEnd = (tally: Tally): WindowViolations => {
  const { history, windowMs, limit, admittedReceived } = tally
  const tried = Array.from({ length: triedEnds }, (_, index) => {
    const end = history.priorUntilMs + (index * windowMs) / (triedEnds - 1)
    const inPrior = Math.max(0, countBelow(admittedReceived, end) - limit)
    const found = violationsOf(tally, openingsOf(tally, end, end))
    const admissions = inPrior > 0 ? admittedWithin(tally, history.sentMs[0], end) : found.admissions
    return { ...found, over: found.over + inPrior, admissions }
  })
  const cost = ({ over, early }: WindowViolations) => over + early
  const closest = tried.reduce((best, each) => (cost(each) < cost(best) ? each : best))
  if (cost(closest) > 0) return closest
  // The chain of windows was stricter than these few ends: the history is refuted all the same.
  const admissions = admittedWithin(tally, history.sentMs[0], history.priorUntilMs + windowMs)
  const refusals = Array.from(tally.refused.subarray(0, 1))
  return { over: 1 - refusals.length, early: refusals.length, admissions, refusals }
}

/** The violations in these windows; stops after the window in which there are `enough`. */
const violationsOf = (
  tally: Tally,
  openings: Iterable<Opening>,
  enough = Number.POSITIVE_INFINITY,
): WindowViolations => {
  const { history, windowMs, limit, spentBefore, spentReceived } = tally
  const found = { over: 0, early: 0, admissions: [] as number[], refusals: [] as number[] }
  let nextRefused = 0
  for (const opening of openings) {
    const admissions = certainlyIn(tally, opening)
    if (admissions.length > limit) {
      if (found.over === 0) found.admissions = [admissions[0], ...admissions.slice(1 - mostWitnesses)]
      found.over += admissions.length - limit
    }
    const endMs = opening.high + windowMs
    const answeredBefore = countBelow(spentReceived, opening.low)
    // An early refusal counts as an admission for later ones, so that as few as possible are found.
    let explainedAway = 0
    for (; nextRefused < tally.refused.length; nextRefused++) {
      const index = tally.refused[nextRefused]
      if (history.sentMs[index] >= endMs) break
      if (history.sentMs[index] < opening.afterMs) continue
      // So many can have spent the window when the refusal was decided.
      if (spentBefore[nextRefused] - answeredBefore + explainedAway >= limit) continue
      explainedAway++
      if (found.refusals.length < mostWitnesses) found.refusals.push(index)
    }
    found.early += explainedAway
    if (found.over + found.early >= enough) break
  }
  return found
}

const certainlyIn = ({ history, windowMs }: Tally, { low, afterMs }: Opening): number[] => {
  const found: number[] = []
  const endMs = low + windowMs
  for (let i = countBelow(history.sentMs, afterMs); i < history.size && history.sentMs[i] < endMs; i++) {
    if (history.outcome[i] === outcomes.admitted && history.receivedMs[i] < endMs) found.push(i)
  }
  return found
}
