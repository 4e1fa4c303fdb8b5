import { type ModelName, modelNames } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import { type History, outcomes, recast } from '../readings/history.js'
import { type Explanations, explainAll, explainingModels } from './models/explain.js'
import { isExact, leastGranted, mostAllowed, type Refutation } from './models/explanation.js'

/** Why a history is not enough for a verdict. */
export type DoubtReason =
  | 'key-not-quiet'
  | 'limit-never-reached'
  | 'answers-lost'
  | 'generator-late'
  | 'clock-unsure'
  | 'load-ended-early'
  | 'used-before'
  | 'day-may-have-ended'

/** What else is known about the run that made the history. */
export interface Circumstances {
  /** False if Remaining looks as if somebody else spent the key: then no refusal can be proven early. */
  readonly keyIsQuiet: boolean
  /** Whether no use by somebody else can lie in a window that refused. */
  readonly refusedIsQuiet?: boolean
  /** Why the history is not enough for a pass, the gravest reason first. */
  readonly doubts: readonly DoubtReason[]
}

/** How a quota is broken: it admitted more than it allows, or refused what it still allowed. */
export type BrokenSide = 'over-admission' | 'early-refusal'

export type QuotaJudgement =
  | { readonly verdict: 'pass'; readonly models: readonly ModelName[]; readonly explanations: Explanations }
  | {
      readonly verdict: 'fail'
      readonly side: BrokenSide
      /** The model that leaves the fewest exchanges unexplained, among those refuted for that side's reason. */
      readonly closest: ModelName
      /** Whether the models give different reasons, or all give both, so that the closest one decided the side. */
      readonly reasonsDiffer: boolean
      readonly refutation: Refutation
      readonly explanations: Explanations
    }
  | { readonly verdict: 'inconclusive'; readonly reason: DoubtReason; readonly explanations: Explanations }

/**
 * The verdict on one key and window: it fails only if no admissible model explains the history, and passes only if one does,
 * the limit was put to the test, and there is no doubt about the history.
 */
export const judgeQuota = (
  history: History,
  window: QuotaWindow,
  { keyIsQuiet, refusedIsQuiet = false, doubts }: Circumstances = { keyIsQuiet: true, doubts: [] },
): QuotaJudgement => {
  if (keyIsQuiet || refusedIsQuiet) {
    const explanations = explainAll(history, window)
    if (keyIsQuiet || hadAllOfIt(explanations, history))
      return judgeExplained(explanations, history, window, { keyIsQuiet: true, doubts })
  }
  return judgeExplained(explainAll(withoutRefusals(history), window), history, window, { keyIsQuiet, doubts })
}

/**
 * Whether the quota refused, and never before all of it was admitted: then nobody else had spent any of it. A sliding counter
 * is left out, since what it weighs of the window before may hide what others spent.
 */
const hadAllOfIt = (explanations: Explanations, { outcome }: History): boolean =>
  outcome.includes(outcomes.refused) && explainingModels(explanations).some((model) => model !== 'sliding-counter')

/** {@link judgeQuota} once each model's explanation is known. */
export const judgeExplained = (
  explanations: Explanations,
  history: History,
  window: QuotaWindow,
  { keyIsQuiet, doubts }: Circumstances,
): QuotaJudgement => {
  const models = explainingModels(explanations)
  if (models.length === 0) return (isExact(window) ? null : failureOfSide(explanations)) ?? failure(explanations)
  const reason: DoubtReason | undefined = keyIsQuiet ? doubts[0] : 'key-not-quiet'
  if (reason !== undefined) return { verdict: 'inconclusive', reason, explanations }
  if (!isTested(history, window)) return { verdict: 'inconclusive', reason: 'limit-never-reached', explanations }
  return { verdict: 'pass', models, explanations }
}

/** The history with every refusal excused, for when somebody else may have spent the quota. */
export const withoutRefusals = (history: History): History => ({
  ...recast(history, 'refused', 'excused'),
  isShared: true,
})

/**
 * Whether more than is allowed was requested, and admitted or refused: L within W, or for a bucket its size plus the inflow
 * meanwhile. So the limit was put to the test. If over-admission is forbidden, something must have been refused too: 90 of 90
 * admitted in one second, with 60 a minute, may lie on both sides of a window's edge, and a target without any limit admits
 * them too.
 */
export const isTested = (history: History, window: QuotaWindow): boolean => {
  const most = mostAllowed(window)
  const bounds = most ?? leastGranted(window)
  if (bounds === null || (most && !history.outcome.includes(outcomes.refused))) return false
  const { sentMs, receivedMs } = history
  const { limit, windowMs, burst } = bounds
  const judged = unitsJudged(history)
  if (burst === undefined)
    return judged.some((i, rank) => rank >= limit && receivedMs[i] - sentMs[judged[rank - limit]] <= windowMs)
  const flownIn = (ms: number) => (ms * limit) / windowMs
  let emptiest = Number.POSITIVE_INFINITY
  return judged.some((i, rank) => {
    emptiest = Math.min(emptiest, rank - flownIn(sentMs[i]))
    return rank + 1 - flownIn(receivedMs[i]) - emptiest > burst
  })
}

/** The rows that were admitted or refused, each as often as it asked for a unit. */
const unitsJudged = ({ size, outcome, asked }: History): number[] => {
  const judged: number[] = []
  for (let i = 0; i < size; i += 1) {
    if (outcome[i] !== outcomes.admitted && outcome[i] !== outcomes.refused) continue
    const units = outcome[i] === outcomes.refused ? (asked?.[i] ?? 1) : 1
    for (let unit = 0; unit < units; unit += 1) judged.push(i)
  }
  return judged
}

const refutationsIn = (explanations: Explanations): ModelRefutation[] =>
  modelNames.flatMap((closest) => {
    const explanation = explanations[closest]
    return explanation?.verdict === 'refuted' ? [{ closest, refutation: explanation }] : []
  })

interface ModelRefutation {
  readonly closest: ModelName
  readonly refutation: Refutation
}

/** The refuted model with the fewest unexplained exchanges, among those that `admits` accepts; undefined if none. */
export const closestOf = (
  explanations: Explanations,
  admits: (refutation: Refutation) => boolean = () => true,
): ModelRefutation | undefined => {
  const cost = ({ refutation }: ModelRefutation) => refutation.overAdmitted + refutation.earlyRefused
  return refutationsIn(explanations)
    .filter(({ refutation }) => admits(refutation))
    .reduce<ModelRefutation | undefined>((best, each) => (best && cost(best) <= cost(each) ? best : each), undefined)
}

/**
 * The failure of a quota with a tolerance, whose two sides are judged separately: if every model leaves excess admissions,
 * and some model no early refusal, over-admission is the broken side; and the other way round. Null if neither holds.
 */
const failureOfSide = (explanations: Explanations): QuotaJudgement | null => {
  const over = closestOf(explanations, ({ reason }) => reason === 'over-admission')
  const early = closestOf(explanations, ({ reason }) => reason === 'early-refusal')
  const shown = over && early ? undefined : (over ?? early)
  if (!shown) return null
  return {
    verdict: 'fail',
    side: over ? 'over-admission' : 'early-refusal',
    ...shown,
    reasonsDiffer: false,
    explanations,
  }
}

const failure = (explanations: Explanations): QuotaJudgement => {
  const closest = closestOf(explanations)
  if (!closest) throw new Error('a history that is explained has not failed')
  const { reason, overAdmitted, earlyRefused } = closest.refutation
  return {
    verdict: 'fail',
    side: overAdmitted >= earlyRefused ? 'over-admission' : 'early-refusal',
    ...closest,
    reasonsDiffer:
      reason === 'both' || refutationsIn(explanations).some(({ refutation }) => refutation.reason !== reason),
    explanations,
  }
}
