import { type ModelName, modelNames } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import { type History, outcomes, recast } from '../readings/history.js'
import { type Explanations, explainAll, explainingModels } from './models/explain.js'
import { isExact, leastGranted, mostAllowed, type Refutation } from './models/explanation.js'

/** Why a history holds too little for a verdict. */
export type DoubtReason =
  | 'key-not-quiet'
  | 'limit-never-reached'
  | 'answers-lost'
  | 'generator-late'
  | 'clock-unsure'
  | 'load-ended-early'
  | 'used-before'
  | 'day-may-have-ended'

/** What else is known of the run that made the history. */
export interface Circumstances {
  /** False where Remaining looks as if somebody else spent the key: then no refusal can be proven early. */
  readonly keyIsQuiet: boolean
  /** Whether nothing that somebody else may have spent lies in a window that was refused. */
  readonly refusedIsQuiet?: boolean
  /** Why the history does not suffice for a pass, the gravest reason first. */
  readonly doubts: readonly DoubtReason[]
}

/** How a quota is broken: more was admitted than it allows, or something refused that it still allowed. */
export type BrokenSide = 'over-admission' | 'early-refusal'

export type QuotaJudgement =
  | { readonly verdict: 'pass'; readonly models: readonly ModelName[]; readonly explanations: Explanations }
  | {
      readonly verdict: 'fail'
      readonly side: BrokenSide
      /** The model that leaves the fewest exchanges unexplained, of those that are refuted for that side's reason. */
      readonly closest: ModelName
      /** Whether the models give different reasons, or each of them both, so that the closest one decided the side. */
      readonly reasonsDiffer: boolean
      readonly refutation: Refutation
      readonly explanations: Explanations
    }
  | { readonly verdict: 'inconclusive'; readonly reason: DoubtReason; readonly explanations: Explanations }

/**
 * The verdict on one key and window: fails only where no admissible model explains the history, passes only where one
 * does, the limit was put to the test, and nothing speaks against the history.
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
 * Whether a limit was refused here, and never before all of it was admitted: then nobody else had spent any of it. What a sliding
 * counter weighs of the window before may hide what others spent.
 */
const hadAllOfIt = (explanations: Explanations, { outcome }: History): boolean =>
  outcome.includes(outcomes.refused) && explainingModels(explanations).some((model) => model !== 'sliding-counter')

/** {@link judgeQuota} where it is known already what each model says. */
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

/** The history with every refusal excused, for where somebody else may have spent the quota. */
export const withoutRefusals = (history: History): History => ({
  ...recast(history, 'refused', 'excused'),
  isShared: true,
})

/**
 * Whether more than the most that is allowed was asked for, and admitted or refused: L within W, of a bucket what it
 * holds and what flows in meanwhile. So the limit was put to the test. Where too much is forbidden, something was refused
 * as well: 90 of 90 admitted in one second, of 60 a minute, may lie on both sides of a window's edge, and a target without
 * any limit admits them too.
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

/** The refuted model that leaves the fewest exchanges unexplained, of those that `admits` takes; undefined for none. */
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
 * The failure of a quota with a tolerance, whose two sides are judged apart: where some model has no early refusal to
 * explain away, and all admit too much, that side is broken; and the other way round. Null where the sides do not tell.
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
