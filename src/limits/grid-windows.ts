import { type CrowdedStarts, crowdedStarts } from './crowding.js'
import { type Explanation, explained, explanationOf } from './explanation.js'
import { type Arc, coverCircle, type Phases, samplePhases } from './phase-circle.js'
import { countBelow } from './sorted-counts.js'
import { admittedWithin, type Tally } from './tally.js'

/**
 * Windows on a grid, boundaries at phase + kW, for some phase of those allowed. A boundary b is impossible where
 * [b, b + W) certainly holds more than L admissions, or certainly holds a refusal and too few possible admissions
 * before it; the model is refuted where the impossible boundaries, taken modulo W, cover every phase.
 */
export const explainGrid = (tally: Tally, phases: Phases): Explanation => {
  const crowded = crowdedStarts(tally)
  const early = mergedEarlyArcs(tally)
  if (!coverCircle([...crowded, ...early], tally.windowMs, phases)) return explained
  return closestPhase(tally, crowded, phases)
}

/**
 * The boundaries b that make the k-th refusal an early one, (from, to]: those for which it lies certainly in
 * [b, b + W), and fewer than L of the possible spendings that were sent by its answer were answered at b or later.
 */
const earlyFrom = ({ history, limit, windowMs, refused, spentBefore, spentReceived }: Tally, k: number): number => {
  const first = history.receivedMs[refused[k]] - windowMs
  const rank = spentBefore[k] - limit
  return rank < 0 ? first : Math.max(first, spentReceived[rank])
}

/** The arcs of all refusals, united. Their ends ascend, so one stack does it. */
const mergedEarlyArcs = (tally: Tally): Arc[] => {
  const merged: Arc[] = []
  for (let k = 0; k < tally.refused.length; k++) {
    let from = earlyFrom(tally, k)
    const to = tally.history.sentMs[tally.refused[k]]
    if (from >= to) continue
    for (let last = merged.at(-1); last && last.to >= from; last = merged.at(-1)) {
      from = Math.min(from, last.from)
      merged.pop()
    }
    merged.push({ from, to })
  }
  return merged
}

/** Windows times phases that are looked at: enough to compare models by, and bounded. */
const mostLookedAt = 100_000

const closestPhase = (tally: Tally, crowded: readonly CrowdedStarts[], phases: Phases): Explanation => {
  const { history, refused, windowMs } = tally
  const span = history.sentMs[history.size - 1] - history.sentMs[0]
  const windows = 1 + span / windowMs + crowded.length
  const count = Math.max(16, Math.min(256, Math.floor(mostLookedAt / windows)))
  const samples = samplePhases(count, windowMs, phases)
  for (let k = 0; k < refused.length; k++) {
    const from = earlyFrom(tally, k)
    const to = history.sentMs[refused[k]]
    if (from < to) samples.add(from, to, 1)
  }
  const early = samples.totals()
  const over = samples.phases.map((phase) => excessAt(tally, crowded, phase).count)
  let best = 0
  for (let each = 1; each < count; each++) if (early[each] + over[each] < early[best] + over[best]) best = each
  return refutationAt(tally, crowded, samples.phases[best], over[best], early[best])
}

/** Admissions beyond the limit in the windows of one phase, and the start of the fullest window. */
const excessAt = (tally: Tally, crowded: readonly CrowdedStarts[], phase: number) => {
  const { admittedSent, admittedReceived, limit, windowMs } = tally
  let [count, worst, worstAt] = [0, 0, Number.NaN]
  for (const stretch of crowded) {
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

const refutationAt = (
  tally: Tally,
  crowded: readonly CrowdedStarts[],
  phase: number,
  over: number,
  early: number,
): Explanation => {
  const { history, refused, windowMs } = tally
  const refusals: number[] = []
  for (let k = 0; k < refused.length && refusals.length < 4; k++) {
    const to = history.sentMs[refused[k]]
    const last = phase + windowMs * Math.floor((to - phase) / windowMs)
    if (last > earlyFrom(tally, k)) refusals.push(refused[k])
  }
  const { worstAt } = excessAt(tally, crowded, phase)
  const admissions = over > 0 ? admittedWithin(tally, worstAt, worstAt + windowMs) : []
  // Between two samples nothing may be left to explain away; the phases as a whole are covered all the same.
  if (over + early === 0) return explanationOf(crowded.length > 0 ? 1 : 0, crowded.length > 0 ? 0 : 1, [])
  return explanationOf(over, early, [...admissions, ...refusals])
}
