import { bucketModels, freeGrids, type ModelName } from '../../contract/limiter-models.js'
import { mostAtOnce, type QuotaWindow } from '../../contract/plans.js'
import { type History, outcomes } from '../../readings/history.js'
import type { BrokenSide } from '../judge-quota.js'
import { explainingOrElse, fits } from '../models/explain.js'
import { firstAdmissionFree, firstOfEachFree, merged, refusalsCounted, withoutLateTurns } from './counterfactuals.js'
import {
  explainedByCells,
  explainedByCheckThenAct,
  explainedByRenewal,
  explainedByWholeTokens,
  explainedWithoutReturn,
  plausibleLimits,
  withLimit,
} from './defect-fits.js'
import { effectiveBurst, effectiveLimit, effectiveWindowMs, filledAsSoon } from './effective-quota.js'
import { firstAfterForgetting } from './forgotten-counts.js'
import {
  mostNodes,
  nodesFilledAtOnce,
  nodesFilledByChance,
  nodesRefusingAtWill,
  nodesSharingLimit,
  tellsNodes,
} from './node-fits.js'

/**
 * What a broken limiter looks like, and the side that it breaks: it admits too much, or counts too much or for too long, so
 * refuses early. A wrong limit does either, depending on it; of the others nothing is known.
 */
export const sidesOfDefects = {
  'no-limit': null,
  'keys-share-bucket': null,
  'routes-count-alone': 'over-admission',
  'counts-forgotten': 'over-admission',
  'quota-never-returns': 'early-refusal',
  'first-request-free': 'over-admission',
  'limit-lower-by-one': 'early-refusal',
  'limit-higher-by-one': 'over-admission',
  'limit-of-another-plan': 'by-limit',
  'requests-count-twice': 'early-refusal',
  'nodes-count-alone': 'over-admission',
  'nodes-share-limit': 'early-refusal',
  'window-shorter': 'over-admission',
  'window-longer': 'early-refusal',
  'window-in-cells': 'over-admission',
  'bucket-loses-tokens': 'early-refusal',
  'every-request-renews': 'early-refusal',
  'refusals-push-window': 'early-refusal',
  'refusals-count': 'early-refusal',
  'first-of-window-refused': 'early-refusal',
  'sub-window': 'early-refusal',
  'check-apart-from-count': 'over-admission',
  'other-model': null,
  'other-burst': null,
  'other-cost': null,
  'cost-cut-to-left': 'over-admission',
  'other-limit': 'by-limit',
} as const satisfies Readonly<Record<string, BrokenSide | 'by-limit' | null>>
export type DefectId = keyof typeof sidesOfDefects

export interface Diagnosis {
  readonly id: DefectId
  /** Facts for the sentence: `limit`, `plan`, `nodes` (with `most` if there may be more), `windowMs`, `burst`, `model`. */
  readonly facts: Readonly<Record<string, number | string>>
  /** True for a defect that would explain nearly anything: it fits a free number, or explains only the admissions. */
  readonly saysLittle?: boolean
  /** The limiters that explain everything with this defect; absent if unknown. */
  readonly models?: readonly ModelName[]
}

export interface DiagnosisContext {
  /** The limits of the other plans for this window, by plan. */
  readonly otherLimits?: Readonly<Record<string, number>>
  /** What other keys did in the same run, on the same clock. */
  readonly companions?: readonly History[]
  /** If the key used several routes: for each, the history with requests to the others excused. */
  readonly byRoute?: readonly History[]
  /** If requests have costs: the history as if one request cost another amount, the nearest amounts first. */
  readonly byCost?: readonly { readonly request: string; readonly cost: number; readonly history: () => History }[]
  /** If requests have costs: the last one before a refusal, and the history as if it had been charged only what was left. */
  readonly cut?: { readonly request: string; readonly history: () => History }
  /** How many separate counts the shown Remaining comes from, if nothing was refused and there are several. */
  readonly shownNodes?: number
  /** If loads came from several places: for each way to tell them apart, the history of each place alone. */
  readonly byPlace?: readonly (readonly History[])[]
}

/**
 * The defects that explain a history which no admissible limiter explains, the most specific first: the first is what the
 * target looks like. None if no known defect fits. Finding each one costs a search, so each is searched only when asked for.
 */
export function* diagnose(
  history: History,
  window: QuotaWindow,
  context: DiagnosisContext = {},
): Generator<Diagnosis, undefined> {
  if (!history.outcome.includes(outcomes.refused)) {
    const admitted = history.outcome.filter((each) => each === outcomes.admitted).length
    const { shownNodes: nodes } = context
    if (nodes !== undefined) yield { id: 'nodes-count-alone', facts: { nodes, limit: nodes * window.limit } }
    yield { id: 'no-limit', facts: { admitted } }
  }
  yield* ofPlaces(window, context)
  yield* ofOtherModels(history, window)
  const companions = context.companions ?? []
  if (companions.length > 0 && fits(merged(history, companions), window)) yield { id: 'keys-share-bucket', facts: {} }
  yield* ofFreeRequests(firstAdmissionFree(history), window)
  const costs = (context.byCost ?? []).filter(({ history: costing }) => fits(costing(), window))
  const known: Diagnosis['facts'] = costs.length === 1 ? { cost: costs[0].cost } : {}
  // With few requests in a window, a lower charge for the last one looks like a lower cost of all: both are reported.
  if (context.cut && fits(context.cut.history(), window))
    yield { id: 'cost-cut-to-left', facts: { request: context.cut.request, ...known } }
  for (const { request } of costs.slice(0, 1)) yield { id: 'other-cost', facts: { request, ...known } }
  const byRoute = context.byRoute ?? []
  // A window that is too short explains as much, and blames nothing else.
  const isApart = byRoute.length > 1 && byRoute.every((each) => fits(each, window))
  const isShort = isApart && window.burst === undefined && ofLength(history, window).length > 0
  if (isApart && !isShort && costs.length === 0) yield { id: 'routes-count-alone', facts: {} }
  const limits = otherLimits(history, window, context)
  yield* limits.filter(({ isWeak }) => !isWeak).map(({ diagnosis }) => diagnosis)
  yield* ofFreeRequests(firstOfEachFree(history, window.windowMs), window)
  // Spending by others before the run, with no return, would explain a key that is refused for any reason.
  const alone = { ...history, priorUntilMs: Number.NEGATIVE_INFINITY }
  if (explainedWithoutReturn(alone, mostAtOnce(window))) yield { id: 'quota-never-returns', facts: {} }
  const burst = effectiveBurst(history, window)
  // Several nodes would explain nearly as much.
  if (burst !== null) yield { id: 'other-burst', facts: { burst } }
  yield* ofForgottenCounts(history, window)
  const nodes = nodesOf(nodesFilledByChance(history, window, context.shownNodes), window)
  // With a low limit several nodes explain any excess, even that of a short window.
  const areTold = nodes.every(({ facts }) => tellsNodes(Number(facts.nodes), window.limit))
  if (areTold) yield* nodes
  yield* ofLength(history, window)
  const subWindows = [...ofSubWindow(history, window)]
  if (subWindows.length === 0) yield* ofShares(history, window)
  if (!areTold) yield* nodesOf(nodesFilledAtOnce(history, window), window)
  // Several nodes would also have admitted too many sequential requests.
  if (explainedByCheckThenAct(history, window)) yield { id: 'check-apart-from-count', facts: {} }
  if (!areTold) yield* nodes
  yield* nodesOf(nodesRefusingAtWill(history, window), window, true)
  if (explainedByCells(history, window)) yield { id: 'window-in-cells', facts: {} }
  // Before renewal, which also explains counted refusals; the reverse does not hold once several keys tell.
  if (fits(refusalsCounted(history), window)) yield { id: 'refusals-count', facts: {} }
  if (explainedByRenewal(history, window, 'every') || explainedByRenewal(history, window, 'admitted'))
    yield { id: 'every-request-renews', facts: {} }
  if (explainedByRenewal(history, window, 'refused')) yield { id: 'refusals-push-window', facts: {} }
  if (fits(withoutLateTurns(history), window)) yield { id: 'first-of-window-refused', facts: {} }
  // Polled often it never refills, which explains much.
  if (explainedByWholeTokens(history, window)) yield { id: 'bucket-loses-tokens', facts: {} }
  yield* subWindows
  yield* limits.filter(({ isWeak }) => isWeak).map(({ diagnosis }) => diagnosis)
  const other = effectiveLimit(history, window)
  if (other !== null) yield { id: 'other-limit', facts: { limit: other }, saysLittle: true }
  return undefined
}

/** Each place fits the quota by itself, but all together do not: as many nodes as answers showed, or at least as places. */
function* ofPlaces(window: QuotaWindow, { byPlace = [], shownNodes }: DiagnosisContext): Generator<Diagnosis> {
  const apart = byPlace.find((places) => places.every((each) => fits(each, window)))
  if (!apart) return
  const nodes = Math.max(apart.length, shownNodes ?? 0)
  const facts = { nodes, limit: nodes * window.limit }
  yield { id: 'nodes-count-alone', facts: shownNodes === undefined ? { ...facts, most: 'unknown' } : facts }
}

/** Explains whatever grids and windows opened by a request explain, and little more: asked only if no other does. */
const widest: ModelName = 'interval-refill-idle'

const agreeing = (history: History, window: QuotaWindow): readonly ModelName[] =>
  explainingOrElse(widest, history, window)

/** Limiters that keep the quota but that its contract does not admit; with a stated bucket size, only buckets can. */
function* ofOtherModels(history: History, window: QuotaWindow): Generator<Diagnosis> {
  if (window.models === undefined) return
  const [model] = agreeing(history, { ...window, models: undefined })
  if (model !== undefined) yield { id: 'other-model', facts: { model } }
}

function* ofFreeRequests(withoutThem: History, window: QuotaWindow): Generator<Diagnosis> {
  const models = agreeing(withoutThem, window)
  if (models.length > 0) yield { id: 'first-request-free', facts: {}, models }
}

/** Parts of a window that may be limited as well: for a minute 30, 20, 15, 12, 10, 6, 5, 2 and 1 s. */
const partsOfWindow = [2, 3, 4, 5, 6, 10, 12, 30, 60] as const

/** The same rate within a part of the window: 300 a minute enforced as 50 in 10 s. */
function* ofSubWindow(history: History, window: QuotaWindow): Generator<Diagnosis> {
  for (const parts of partsOfWindow.filter((each) => window.burst === undefined && window.limit >= each)) {
    const [limit, windowMs] = [Math.floor(window.limit / parts), window.windowMs / parts]
    if (fits(history, { ...window, limit, windowMs })) yield { id: 'sub-window', facts: { limit, windowMs } }
  }
}

/** All counts lost at one moment, unless a window that is too short explains it. */
function* ofForgottenCounts(history: History, window: QuotaWindow): Generator<Diagnosis> {
  const row = firstAfterForgetting(history, window)
  if (row === null || (window.burst === undefined && ofLength(history, window).length > 0)) return
  yield { id: 'counts-forgotten', facts: { byMs: history.sentMs[row] } }
}

const ofLength = (history: History, window: QuotaWindow): Diagnosis[] => {
  const windowMs = effectiveWindowMs(history, window)
  return windowMs === null
    ? []
    : [{ id: windowMs < window.windowMs ? 'window-shorter' : 'window-longer', facts: { windowMs } }]
}

/** Nodes that each keep a share of the limit, unless another limit fits: one node refuses before another admits. */
function* ofShares(history: History, window: QuotaWindow): Generator<Diagnosis> {
  const nodes = nodesSharingLimit(history, window)
  if (nodes === null || effectiveLimit(history, window) !== null) return
  yield { id: 'nodes-share-limit', facts: { nodes, limit: Math.floor(window.limit / nodes) } }
}

const nodesOf = (nodes: number | null, { limit }: QuotaWindow, saysLittle = false): Diagnosis[] =>
  nodes === null ? [] : [{ id: 'nodes-count-alone', facts: { nodes, limit: nodes * limit }, saysLittle }]

interface LimitDiagnosis {
  readonly diagnosis: Diagnosis
  /** True if all models that explain it may have put a window boundary inside the burst. */
  readonly isWeak: boolean
}

const isWeak = ({ id }: Diagnosis, models: readonly ModelName[]): boolean =>
  (id === 'nodes-count-alone' || (id === 'limit-of-another-plan' && models.length === 1)) &&
  models.every((model) => freeGrids.includes(model))

/** The quota with `by` more at once: for a bucket with a stated size only that size changes. */
const offBy = (window: QuotaWindow, by: number): QuotaWindow =>
  window.burst === undefined ? { ...window, limit: window.limit + by } : { ...window, burst: window.burst + by }

/** A bucket that holds `by` more: filled at the stated rate or, if its size is stated apart, in the same time. */
const holdingOther = (window: QuotaWindow, by: number): QuotaWindow[] => {
  const { limit, burst, models } = window
  if (burst !== undefined) return [filledAsSoon(window, burst, burst + by)]
  const mayBeBucket = models === undefined || bucketModels.some((name) => models.includes(name))
  return mayBeBucket && limit + by > 0 ? [{ ...window, burst: limit + by }] : []
}

/** Wrong limits with a known cause that explain the history, those that most models agree on first. */
const otherLimits = (history: History, window: QuotaWindow, context: DiagnosisContext): LimitDiagnosis[] => {
  const { limit } = window
  const plans = Object.entries(context.otherLimits ?? {}).filter(([, each]) => Math.abs(each - limit) > 1)
  const offByOne = ([-1, 1] as const).map((by) => {
    const id = by < 0 ? 'limit-lower-by-one' : 'limit-higher-by-one'
    return [offBy(window, by), ...holdingOther(window, by)].map(
      (other) => ({ id, other, facts: { limit: mostAtOnce(other) } }) as const,
    )
  })
  const particular: readonly (Diagnosis & { readonly other: QuotaWindow })[] = [
    ...offByOne.flat(),
    ...plans.map(
      ([plan, each]) =>
        ({ id: 'limit-of-another-plan', other: withLimit(window, each), facts: { plan, limit: each } }) as const,
    ),
    ...[Math.floor(limit / 2), Math.ceil(limit / 2)].map(
      (each) => ({ id: 'requests-count-twice', other: withLimit(window, each), facts: { limit: each } }) as const,
    ),
    ...Array.from({ length: mostNodes - 1 }, (_, index) => index + 2).map((nodes) => {
      const facts = { nodes, limit: nodes * limit }
      return { id: 'nodes-count-alone', other: withLimit(window, facts.limit), facts } as const
    }),
  ]
  const { least, most } = plausibleLimits(history, window)
  return particular
    .filter(({ other }) => mostAtOnce(other) >= Math.max(1, least) && other.limit >= 1 && mostAtOnce(other) <= most)
    .map(({ other, ...diagnosis }) => ({ diagnosis, models: agreeing(history, other) }))
    .filter(({ models }) => models.length > 0)
    .sort((a, b) => b.models.length - a.models.length)
    .map(({ diagnosis, models }) => ({ diagnosis: { ...diagnosis, models }, isWeak: isWeak(diagnosis, models) }))
}
