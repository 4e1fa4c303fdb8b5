import { countBelow } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import type { Span } from '../../readings/history.js'
import { type Explanation, explained, explanationOf } from '../models/explanation.js'
import { type OverfullStarts, overfullPairs, overfullStarts } from './early-refusals.js'
import { coverCircle } from './spans.js'
import { admittedWithin, impossiblePriorStarts, mostWitnesses, type Tally } from './tally.js'

/**
 * Window starts for which some refusal would be early: fewer than L requests can have spent the window by then.
 *
 * Example, with L = 3 and W = 60 s: three requests were answered at 5, 10 and 11 s, and one was refused within [20, 21] s. A
 * window that begins in (5, 20] s holds the refusal and at most two of the three: these starts are `certain`. Without the
 * request at 5 s no window explains the refusal: all that can hold it, (-40, 21] s, are `hopeless`. If that request was at
 * -39.5 s instead, (20.5, 21] s are `straddling`: the window begins while the refusal is decided, and neither it nor the
 * window before it holds all three.
 */
interface EarlyArcs {
  /** The window certainly holds the refusal, and too few that may have spent it were answered in it. */
  readonly certain: readonly Span[]
  /** Fewer than L were answered in the whole W before the refusal, so no window explains it. */
  readonly hopeless: readonly Span[]
  /** The start lies between the refusal's sending and answer, and too few were answered on either side of it. */
  readonly straddling: readonly Span[]
}

/** A window that begins later holds fewer than L requests that may have spent before the k-th refusal. */
export const lastFull = ({ limit, spentBefore, spentReceived }: Tally, k: number): number => {
  const rank = spentBefore[k] - limit
  return rank < 0 ? Number.NEGATIVE_INFINITY : spentReceived[rank]
}

/** The starts that the refusals rule out; intervals that touch are joined. */
export const earlyArcs = onceFor((tally: Tally): EarlyArcs => {
  const { refusedSent, refusedReceived, windowMs } = tally
  const certain: Span[] = []
  const hopeless: Span[] = []
  const straddling: Span[] = []
  for (let k = 0; k < refusedSent.length; k++) {
    const sent = refusedSent[k]
    const received = refusedReceived[k]
    const full = lastFull(tally, k)
    if (full <= sent - windowMs && received - sent < windowMs) {
      unite(hopeless, sent - windowMs, received)
      continue
    }
    unite(certain, Math.max(received - windowMs, full), sent)
    // A refusal that took W or longer can have been decided in more than two windows, so it rules out nothing else.
    if (received - sent >= windowMs) continue
    unite(straddling, Math.max(sent, full + windowMs), received)
  }
  return { certain, hopeless, straddling }
})

const unite = (merged: Span[], arcFrom: number, arcTo: number): void => {
  if (arcFrom >= arcTo) return
  let [from, to] = [arcFrom, arcTo]
  for (let last = merged.at(-1); last && last.to >= from && last.from <= to; last = merged.at(-1)) {
    from = Math.min(from, last.from)
    to = Math.max(to, last.to)
    merged.pop()
  }
  merged.push({ from, to })
}

/**
 * Windows on a grid: boundaries at phase + kW for every whole k, for some allowed phase. A boundary is impossible if the
 * window that starts there certainly holds more than L admissions, if it certainly holds a refusal that fewer than L requests
 * can have preceded, or if the two windows around it hold more than 2 L together. The model is refuted if the impossible
 * boundaries, modulo W, leave no phase.
 *
 * Example, with L = 3 and W = 60 s: four admissions between 10 and 20 s rule out the boundaries in (-40, 10] s; a boundary in
 * (10, 20] s could still part them. Four more between 100 and 110 s rule out (50, 100] s, which modulo 60 s contains (10, 20]
 * s too: no grid explains both.
 */
export const explainGrid = (tally: Tally, phases: Span): Explanation => {
  const overfull = overfullStarts(tally)
  return isRefuted(tally, overfull, phases) ? closestPhase(tally, overfull, phases) : explained
}

const isRefuted = (tally: Tally, overfull: readonly OverfullStarts[], phases: Span): boolean => {
  const { windowMs } = tally
  const { certain, hopeless, straddling } = earlyArcs(tally)
  // Such a refusal is early in every window: an arc of 2 W covers every phase, whatever the rounding.
  const everywhere = hopeless.map(({ to }) => ({ from: to - 2 * windowMs, to }))
  const early = [...certain, ...straddling, ...everywhere, ...impossiblePriorStarts(tally)]
  return coverCircle([...overfull, ...overfullPairs(tally), ...early], windowMs, phases)
}

/** Whether some allowed phase explains it; faster than {@link explainGrid}, which also says what refutes it. */
export const isExplainedByGrid = (tally: Tally, phases: Span): boolean =>
  !isRefuted(tally, overfullStarts(tally), phases)

/** Bounds the work of finding the best phase of a refuted grid: a long history is tried at fewer phases. */
const mostSteps = 10_000_000
/** What counting one window costs, in steps (a few binary searches); a refusal costs one step. */
const stepsOfWindow = 100
/** Enough phases to compare models by. */
const [fewestPhases, mostPhases] = [8, 128]

const closestPhase = (tally: Tally, overfull: readonly OverfullStarts[], phases: Span): Explanation => {
  const { history, refused, windowMs } = tally
  const span = history.sentMs[history.size - 1] - history.sentMs[0]
  const steps = stepsOfWindow * (1 + span / windowMs + overfull.length) + refused.length
  const count = Math.max(fewestPhases, Math.min(mostPhases, Math.floor(mostSteps / steps)))
  const width = Math.min(windowMs, phases.to - phases.from)
  let best = { phase: Number.NaN, over: Number.POSITIVE_INFINITY, early: 0, refusals: [] as readonly number[] }
  for (let each = 0; each < count; each++) {
    const phase = phases.from + ((each + 0.5) * width) / count
    const over = excessAt(tally, overfull, phase).count
    const least = best.over + best.early
    if (over >= least) continue
    const { early, refusals } = earlyAt(tally, phase, least - over)
    if (over + early < least) best = { phase, over, early, refusals }
  }
  const { worstAt } = excessAt(tally, overfull, best.phase)
  const admissions = best.over > 0 ? admittedWithin(tally, worstAt, worstAt + windowMs) : []
  // Rounding alone may explain each phase that was tried; the history is refuted all the same.
  if (best.over + best.early === 0) return explanationOf(overfull.length > 0 ? 1 : 0, overfull.length > 0 ? 0 : 1, [])
  return explanationOf(best.over, best.early, [...admissions, ...best.refusals])
}

/** The early refusals at one phase, until `enough`. Each counts as an admission for later ones of its window. */
const earlyAt = (
  tally: Tally,
  phase: number,
  enough: number,
): { readonly early: number; readonly refusals: readonly number[] } => {
  const { refused, refusedSent, spentBefore, spentReceived, limit, windowMs } = tally
  const refusals: number[] = []
  let [early, explainedAway, start, before] = [0, 0, Number.NaN, 0]
  for (let k = 0; k < refused.length && early < enough; k++) {
    const sent = refusedSent[k]
    const b = phase + windowMs * Math.floor((sent - phase) / windowMs)
    if (b !== start) {
      start = b
      before = countBelow(spentReceived, b)
      explainedAway = 0
    }
    // A refusal in transit at the window's end is taken as decided before it, when more was spent.
    if (spentBefore[k] - before + explainedAway >= limit) continue
    explainedAway++
    early++
    if (refusals.length < mostWitnesses) refusals.push(refused[k])
  }
  return { early, refusals }
}

/** At one phase: how many admissions exceed the limit of their window, and where the fullest window begins. */
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
