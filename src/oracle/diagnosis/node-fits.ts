import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { placesOf } from '../../kit/numbers.js'
import { type History, outcomes, recast } from '../../readings/history.js'
import { fullestWindow, overfullStarts } from '../counting/early-refusals.js'
import { tallyOf } from '../counting/tally.js'
import { explain, isExplained } from '../models/explain.js'
import { admissibleModels, type Explanation, type Refutation } from '../models/explanation.js'
import { plausibleLimits, withLimit } from './defect-fits.js'

/** The most nodes that are tried: more behind one address are rare, and each costs a search. */
export const mostNodes = 16

/** The models that cannot put a boundary of their windows inside a burst. */
const anchored: readonly ModelName[] = ['fixed-window-first-request', 'sliding-log', 'token-bucket']

/** Chance gives a node up to this many standard deviations more than its share; more in 1 of 700 cases. */
const mostDeviations = 3

/** The fewest requests by which chance can have filled the first of several nodes: for 2 of L = 60, 73 and not 120. */
const leastWhenFull = (nodes: number, limit: number): number =>
  Math.max(limit, Math.floor(nodes * (limit - mostDeviations * Math.sqrt(limit))))

/** Whether this many nodes differ from one in when they begin to refuse: with a low limit chance may fill one node alone. */
export const tellsNodes = (nodes: number, limit: number): boolean => leastWhenFull(nodes, limit) > limit

const nodeCounts = (history: History, window: QuotaWindow): number[] => {
  const { least } = plausibleLimits(history, window)
  const fewest = Math.max(2, Math.ceil(least / window.limit))
  return Array.from({ length: Math.max(0, mostNodes + 1 - fewest) }, (_, index) => fewest + index)
}

const admissionsOf = (history: History): History => recast(history, 'refused', 'excused')

/**
 * The anchored models that are refuted for these reasons; none if each of them also finds early refusals, or if one explains
 * all admissions: 302 of 300 need no second node when a bucket got two tokens back.
 */
const overAdmitting = (history: History, window: QuotaWindow, ...reasons: Refutation['reason'][]): ModelName[] => {
  const admissible = admissibleModels(window)
  const explanations = anchored
    .filter((model) => admissible.includes(model))
    .map((model) => ({ model, explanation: explain(model, history, window) }))
  const isOfSome = (reason: Refutation['reason']) => explanations.some(({ explanation }) => isOnly(reason, explanation))
  if (!isOfSome('over-admission') || isOfSome('early-refusal')) return []
  return explanations
    .filter(({ explanation }) => reasons.some((each) => isOnly(each, explanation)))
    .map(({ model }) => model)
}

/**
 * The number of nodes behind the address, if each counts L by itself: together they admit up to that many times L, so 120 to
 * 180 within a minute suggest three nodes of 60. Each node refuses once chance has filled it: of the numbers on which the most
 * models agree, the smallest. If answers show several counts, these know better: when the nodes' windows begin apart, 4 of 60
 * may admit 241 in one. Null if no number is plausible.
 */
export const nodesFilledByChance = (history: History, window: QuotaWindow, shown?: number): number | null => {
  const { limit } = window
  const over = overAdmitting(history, window, 'over-admission')
  const admissions = admissionsOf(history)
  const agrees = (model: ModelName, nodes: number): boolean => {
    if (!isExplained(model, admissions, withLimit(window, nodes * limit))) return false
    const first = explain(model, history, withLimit(window, leastWhenFull(nodes, limit)))
    return first.verdict === 'explained' || first.reason === 'over-admission'
  }
  let best: { nodes: number; models: number } | null = null
  for (const nodes of over.length > 0 ? nodeCounts(history, window) : []) {
    const models = over.filter((model) => agrees(model, nodes)).length
    if (models > (best?.models ?? 0)) best = { nodes, models }
    if (models === over.length) break
  }
  return best && shown !== undefined && 2 * shown > best.nodes ? shown : (best?.nodes ?? null)
}

/** The same if nodes may refuse at any time once L were admitted in all, by the model with the fewest early refusals. */
export const nodesRefusingAtWill = (history: History, window: QuotaWindow): number | null => {
  const admissions = admissionsOf(history)
  const counts = nodeCounts(history, window)
  let best: { nodes: number; early: number } | null = null
  for (const model of overAdmitting(history, window, 'over-admission', 'both')) {
    const nodes = counts.find((each) => isExplained(model, admissions, withLimit(window, each * window.limit)))
    if (nodes === undefined) continue
    const whole = explain(model, history, withLimit(window, nodes * window.limit))
    const early = whole.verdict === 'refuted' ? whole.earlyRefused : 0
    if (early < (best?.early ?? Infinity)) best = { nodes, early }
  }
  return best?.nodes ?? null
}

/** A burst takes at most this share of a window, and can reveal at most so many nodes. */
const [burstShare, mostFull] = [0.25, 4]

/**
 * The number of nodes that one burst filled completely, or all but one request of it: the fullest span admits that many times
 * L, while others were refused. With L = 5, 10 of 60 sent together suggest two nodes; 28 of 60 are no nodes, but a race.
 */
export const nodesFilledAtOnce = (history: History, { limit, windowMs }: QuotaWindow): number | null => {
  const spanMs = burstShare * windowMs
  const fullest = fullestWindow(overfullStarts(tallyOf(history, { limit, windowMs: spanMs })))
  if (fullest === undefined) return null
  const { sentMs, outcome } = history
  const nodes = Math.ceil(fullest.count / limit)
  const areRefused = outcome.some(
    (each, i) => each === outcomes.refused && sentMs[i] >= fullest.at && sentMs[i] <= fullest.at + spanMs,
  )
  return areRefused && nodes > 1 && nodes <= mostFull && fullest.count >= nodes * limit - 1 ? nodes : null
}

/** Within this share of a window, and less time than a bucket needs to regain one, nothing that was spent comes back. */
const atOnceShare = 0.05

/**
 * Whether a request was refused, a later one admitted and then another refused, with nothing coming back in between: a full
 * node refused and another one admitted. A new window would have admitted more.
 */
const isRefusedInBetween = (
  { sentMs, receivedMs, outcome, size }: History,
  { limit, windowMs }: QuotaWindow,
): boolean => {
  const withinMs = Math.min(atOnceShare, 1 / limit) * windowMs
  const of = (code: number) => placesOf(size, (i) => outcome[i] === code)
  const [refused, admitted] = [of(outcomes.refused), of(outcomes.admitted)]
  return refused.some((first) =>
    admitted.some(
      (i) =>
        sentMs[i] > receivedMs[first] &&
        sentMs[i] < sentMs[first] + withinMs &&
        refused.some((last) => sentMs[last] > receivedMs[i] && receivedMs[last] < sentMs[first] + withinMs),
    ),
  )
}

/** Nodes that share a limit are few, and each gets at least two requests of it. */
const [mostSharing, leastShare] = [8, 2]

/**
 * The number of nodes that each keep a share of the limit: together they never admit more than all of it, and none refuses
 * before a share was spent. Of 20 over two nodes, the 13th may be refused and the 14th admitted. Null if no number of nodes
 * fits.
 */
export const nodesSharingLimit = (history: History, window: QuotaWindow): number | null => {
  if (!isRefusedInBetween(history, window)) return null
  const admissible = admissibleModels(window)
  const admissions = admissionsOf(history)
  const keeping = anchored.filter((model) => admissible.includes(model) && isExplained(model, admissions, window))
  for (let nodes = 2; nodes <= mostSharing && window.limit / nodes >= leastShare; nodes += 1) {
    const share = withLimit(window, Math.floor(window.limit / nodes))
    if (keeping.some((model) => isOnly('over-admission', explain(model, history, share)))) return nodes
  }
  return null
}

const isOnly = (reason: Refutation['reason'], explanation: Explanation): boolean =>
  explanation.verdict === 'refuted' && explanation.reason === reason
