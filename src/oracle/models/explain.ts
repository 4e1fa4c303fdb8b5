import { type ModelName, modelNames } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { type History, recast } from '../../readings/history.js'
import { tallyOf } from '../counting/tally.js'
import {
  admissibleModels,
  type Explanation,
  explained,
  explanationOf,
  isExact,
  leastGranted,
  type Model,
  mostAllowed,
} from './explanation.js'
import { firstRequest, fixedWindow, idleRefill, intervalRefill } from './fixed-window.js'
import { slidingCounter } from './sliding-counter.js'
import { slidingLog } from './sliding-log.js'
import { tokenBucket } from './token-bucket.js'

const models: Readonly<Record<ModelName, Model>> = {
  'fixed-window': fixedWindow,
  'fixed-window-first-request': firstRequest,
  'interval-refill': intervalRefill,
  'interval-refill-idle': idleRefill,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
  // ITU-T I.371: a theoretical arrival time at most (L - 1)W/L ahead decides as a bucket of capacity L does.
  gcra: tokenBucket,
}

/** Says of a model whether it is admissible and explains the history; of several, all read one tally. */
const explainerOf = (history: History, window: QuotaWindow): ((model: ModelName) => boolean) => {
  const tally = tallyOf(history, window)
  const admissible = admissibleModels(window)
  return (model) => admissible.includes(model) && models[model].isExplained(tally)
}

/** The models of `among` that are admissible and explain the history, in their order. */
export function* explaining(among: readonly ModelName[], history: History, window: QuotaWindow): Generator<ModelName> {
  const explains = explainerOf(history, window)
  for (const model of among) if (explains(model)) yield model
}

/** Models that explain all that this one does: a grid with any phase, what one with a known phase does. */
const coveredBy: Readonly<Partial<Record<ModelName, readonly ModelName[]>>> = {
  'fixed-window': ['interval-refill', 'interval-refill-idle'],
  'fixed-window-first-request': ['interval-refill-idle'],
}

const slowest: readonly ModelName[] = ['interval-refill-idle', 'sliding-counter']
const quickestFirst = [...modelNames.filter((name) => !slowest.includes(name)), ...slowest]

/** Whether any admissible model explains the history. The likeliest one is asked first. */
export const fits = (history: History, window: QuotaWindow, likeliest?: ModelName): boolean => {
  const explains = explainerOf(history, window)
  if (likeliest !== undefined && explains(likeliest)) return true
  const admissible = admissibleModels(window)
  const isCovered = (name: ModelName) =>
    name === likeliest || coveredBy[name]?.some((each) => admissible.includes(each))
  return quickestFirst.some((name) => !isCovered(name) && explains(name))
}

/** All admissible models that explain the history; `lastResort`, which is slow, is asked only if no other does. */
export const explainingOrElse = (
  lastResort: ModelName,
  history: History,
  window: QuotaWindow,
): readonly ModelName[] => {
  const explains = explainerOf(history, window)
  const found = modelNames.filter((model) => model !== lastResort && explains(model))
  return found.length > 0 ? found : [lastResort].filter(explains)
}

/** What each model says; models that the quota does not admit are left out. */
export type Explanations = Readonly<Partial<Record<ModelName, Explanation>>>

/** Whether some limiter of the model, deciding at some instants within the intervals, produces the history. */
export const explain = (model: ModelName, history: History, window: QuotaWindow): Explanation =>
  models[model].explain(tallyOf(history, window))

/** The verdict of {@link explain} without the refuting exchanges, which is faster for some models. */
export const isExplained = (model: ModelName, history: History, window: QuotaWindow): boolean =>
  models[model].isExplained(tallyOf(history, window))

/** {@link explain} for every admissible model, as if the quota were exact; O(n log n). */
const explainExactly = (history: History, window: QuotaWindow): Explanations => {
  const tally = tallyOf(history, window)
  return Object.fromEntries(admissibleModels(window).map((name) => [name, models[name].explain(tally)] as const))
}

/** What every admissible model says about the quota as promised: exactly, or within its tolerance. */
export const explainAll = (history: History, window: QuotaWindow): Explanations =>
  isExact(window) ? explainExactly(history, window) : explainWithinTolerance(history, window)

/**
 * What each model says about a quota with a tolerance, each side by itself. "Too many" is judged with L(1 + over) and all
 * refusals excused; "too early" with L(1 - early), when every admission may or may not have counted. A model explains the
 * history if it explains both: a limiter within its tolerance does.
 *
 * Example, with L = 100 and 5 % on both sides: 106 admitted at once are too many, 105 are not; the 95th may be refused after
 * 95, the 94th not.
 */
const explainWithinTolerance = (history: History, window: QuotaWindow): Explanations => {
  const [over, early] = sidesOf(history, window).map((side) => side && explainExactly(...side))
  return Object.fromEntries(admissibleModels(window).map((name) => [name, bothOf(over?.[name], early?.[name])]))
}

/** What is judged for "too many", and for "too early"; null if the quota promises nothing of it. */
const sidesOf = (history: History, window: QuotaWindow) => {
  const [most, least] = [mostAllowed(window), leastGranted(window)]
  return [
    most && ([recast(history, 'refused', 'excused'), most] as const),
    least && ([recast(history, 'admitted', 'unknown'), least] as const),
  ]
}

/** The models that explain the history, as {@link explainAll} has them, without what refutes the others, which takes longer. */
export const modelsThatExplain = (history: History, window: QuotaWindow): ModelName[] => {
  const sides = isExact(window) ? [[history, window] as const] : sidesOf(history, window)
  const explainers = sides.flatMap((side) => (side ? [explainerOf(...side)] : []))
  return admissibleModels(window).filter((name) => explainers.every((explains) => explains(name)))
}

/** Both sides of one model: the first leaves admissions unexplained, the second refusals. */
const bothOf = (over: Explanation = explained, early: Explanation = explained): Explanation => {
  const amountOf = (side: Explanation) => (side.verdict === 'refuted' ? side.overAdmitted + side.earlyRefused : 0)
  const witnesses = [over, early].flatMap((side) => (side.verdict === 'refuted' ? side.witnesses : []))
  return explanationOf(amountOf(over), amountOf(early), witnesses)
}

export const explainingModels = (explanations: Explanations): ModelName[] =>
  modelNames.filter((name) => explanations[name]?.verdict === 'explained')
