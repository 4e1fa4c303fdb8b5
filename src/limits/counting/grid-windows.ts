import { type Explanation, explained, explanationOf } from '../models/explanation.js'
import { earlyArcs } from './early-arcs.js'
import { type OverfullStarts, overfullStarts } from './overfull-windows.js'
import { coverCircle, type Phases } from './phase-circle.js'
import { impossiblePriorStarts } from './prior-window.js'
import { countBelow } from './sorted-counts.js'
import { admittedWithin, type Tally } from './tally.js'

/**
 * Windows on a grid, boundaries at phase + kW, for some phase of those allowed. A boundary b is impossible where
 * [b, b + W) certainly holds more than L admissions, or certainly holds a refusal and too few possible admissions
 * before it; so is one with more than 2 L in the two windows around it, whichever side each fell on. The model is
 * refuted where the impossible boundaries, taken modulo W, cover every phase.
 */
export const explainGrid = (tally: Tally, phases: Phases): Explanation => {
  const overfull = overfullStarts(tally)
  return isRefuted(tally, overfull, phases) ? closestPhase(tally, overfull, phases) : explained
}

const isRefuted = (tally: Tally, overfull: readonly OverfullStarts[], phases: Phases): boolean => {
  const { limit, windowMs } = tally
  const inTwo = overfullStarts({ ...tally, limit: 2 * limit, windowMs: 2 * windowMs })
  const { certain, hopeless, straddling } = earlyArcs(tally)
  // No boundary helps. Twice W, so that rounding leaves no phase out.
  const everywhere = hopeless.map(({ to }) => ({ from: to - 2 * windowMs, to }))
  const early = [...certain, ...straddling, ...everywhere, ...impossiblePriorStarts(tally)]
  return coverCircle([...overfull, ...inTwo, ...early], windowMs, phases)
}

/** The verdict alone, which takes a fraction of the time. */
export const isExplainedByGrid = (tally: Tally, phases: Phases): boolean =>
  !isRefuted(tally, overfullStarts(tally), phases)

/** Windows and refusals times phases that are looked at: enough to compare models by, and bounded. */
const mostLookedAt = 10_000_000
const windowCost = 100

const closestPhase = (tally: Tally, overfull: readonly OverfullStarts[], phases: Phases): Explanation => {
  const { history, refused, windowMs } = tally
  const span = history.sentMs[history.size - 1] - history.sentMs[0]
  const cost = windowCost * (1 + span / windowMs + overfull.length) + refused.length
  const count = Math.max(8, Math.min(128, Math.floor(mostLookedAt / cost)))
  const width = Math.min(windowMs, phases.to - phases.from)
  let best = { phase: Number.NaN, over: Number.POSITIVE_INFINITY, early: 0, refusals: [] as readonly number[] }
  for (let each = 0; each < count; each++) {
    const phase = phases.from + ((each + 0.5) * width) / count
    const over = excessAt(tally, overfull, phase).count
    if (over >= best.over + best.early) continue
    const { early, refusals } = earlyAt(tally, phase)
    if (over + early < best.over + best.early) best = { phase, over, early, refusals }
  }
  const { worstAt } = excessAt(tally, overfull, best.phase)
  const admissions = best.over > 0 ? admittedWithin(tally, worstAt, worstAt + windowMs) : []
  // Rounding may leave nothing at the very phases that are looked at; as a whole they are covered all the same.
  if (best.over + best.early === 0) return explanationOf(overfull.length > 0 ? 1 : 0, overfull.length > 0 ? 0 : 1, [])
  return explanationOf(best.over, best.early, [...admissions, ...best.refusals])
}

/** The refusals to explain away at one phase; each that is counts as a spending for those after it in its window. */
const earlyAt = (tally: Tally, phase: number): { readonly early: number; readonly refusals: readonly number[] } => {
  const { history, refused, spentBefore, spentReceived, limit, windowMs } = tally
  const refusals: number[] = []
  let [early, explainedAway, start, before] = [0, 0, Number.NaN, 0]
  for (let k = 0; k < refused.length; k++) {
    const sent = history.sentMs[refused[k]]
    const b = phase + windowMs * Math.floor((sent - phase) / windowMs)
    if (b !== start) {
      start = b
      before = countBelow(spentReceived, b)
      explainedAway = 0
    }
    // A refusal that straddles the end may have been decided on this side of it, where more was spent.
    if (spentBefore[k] - before + explainedAway >= limit) continue
    explainedAway++
    early++
    if (refusals.length < 4) refusals.push(refused[k])
  }
  return { early, refusals }
}

/** Admissions beyond the limit in the windows of one phase, and the start of the fullest window. */
const excessAt = (tally: Tally, overfull: readonly OverfullStarts[], phase: number) => {
  const { admittedSent, admittedReceived, limit, windowMs } = tally
  let [count, worst, worstAt] = [0, 0, Number.NaN]
  for (const stretch of overfull) {
    const first = phase + windowMs * Math.ceil((stretch.from - phase) / windowMs)
    for (let b = first; b <= stretch.to; b += windowMs) {
      const excess = countBelow(admittedReceived, b + windowMs) - countBelow(admittedSent, b) - limit
      if (excess <= 0) continue
      count += excess
      if (excess > worst) [worst, worstAt] = [excess, b]
    }
  }
  return { count, worstAt }
}
