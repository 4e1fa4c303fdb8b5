import { type ModelName, modelNames } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import type { History } from '../../readings/history.js'
import { isExplainedByGrid } from '../counting/grid-windows.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import { admissibleModels, type Explanation, isExact, withinTolerance } from './explanation.js'
import {
  clockPhases,
  explainFirstRequest,
  explainFixedWindow,
  explainIdleRefill,
  explainIntervalRefill,
  isExplainedByFirstRequest,
  isExplainedByIdleRefill,
  isExplainedByIntervalRefill,
} from './fixed-window.js'
import { explainSlidingCounter, isExplainedBySlidingCounter } from './sliding-counter.js'
import { explainSlidingLog } from './sliding-log.js'
import { explainTokenBucket } from './token-bucket.js'

const models: Readonly<Record<ModelName, (tally: Tally) => Explanation>> = {
  'fixed-window': explainFixedWindow,
  'fixed-window-first-request': explainFirstRequest,
  'interval-refill': explainIntervalRefill,
  'interval-refill-idle': explainIdleRefill,
  'sliding-log': explainSlidingLog,
  'sliding-counter': explainSlidingCounter,
  'token-bucket': explainTokenBucket,
  // ITU-T I.371: a theoretical arrival time at most (L - 1)W/L ahead decides as a bucket of capacity L does.
  gcra: explainTokenBucket,
}

/** Models that can give a verdict faster if the refuting exchanges are not needed. */
const sooner: Readonly<Partial<Record<ModelName, (tally: Tally) => boolean>>> = {
  'fixed-window': (tally) => isExplainedByGrid(tally, clockPhases(tally)),
  'fixed-window-first-request': isExplainedByFirstRequest,
  'interval-refill': isExplainedByIntervalRefill,
  'interval-refill-idle': isExplainedByIdleRefill,
  'sliding-counter': isExplainedBySlidingCounter,
}

const isExplainedBy = (model: ModelName, tally: Tally): boolean =>
  sooner[model]?.(tally) ?? models[model](tally).verdict === 'explained'

/** The models of `among` that are admissible and explain the history, in their order. */
export function* explaining(among: readonly ModelName[], history: History, window: QuotaWindow): Generator<ModelName> {
  const tally = tallyOf(history, window)
  const admissible = admissibleModels(window)
  for (const model of among) if (admissible.includes(model) && isExplainedBy(model, tally)) yield model
}

const slowest: readonly ModelName[] = ['sliding-counter', 'interval-refill-idle']
const quickestFirst = [...modelNames.filter((name) => !slowest.includes(name)), ...slowest]

/** Whether any admissible model explains the history. The likeliest one is asked first. */
export const fits = (history: History, window: QuotaWindow, likeliest?: ModelName): boolean => {
  const admissible = admissibleModels(window)
  // A grid with a known phase is one of those with any phase.
  const isNeeded = (name: ModelName) => name !== 'fixed-window' || !admissible.includes('interval-refill')
  const tally = tallyOf(history, window)
  const asked = quickestFirst.filter((name) => admissible.includes(name) && isNeeded(name))
  return (
    (likeliest !== undefined && admissible.includes(likeliest) && isExplainedBy(likeliest, tally)) ||
    asked.some((name) => isExplainedBy(name, tally))
  )
}

/** All admissible models that explain the history; `lastResort`, which is slow, is asked only if no other does. */
export const explainingOrElse = (
  lastResort: ModelName,
  history: History,
  window: QuotaWindow,
): readonly ModelName[] => {
  const tally = tallyOf(history, window)
  const admissible = admissibleModels(window)
  const found = admissible.filter((model) => model !== lastResort && isExplainedBy(model, tally))
  return found.length > 0 || !admissible.includes(lastResort) || !isExplainedBy(lastResort, tally)
    ? found
    : [lastResort]
}

/** What each model says; models that the quota does not admit are left out. */
export type Explanations = Readonly<Partial<Record<ModelName, Explanation>>>

/** Whether some limiter of the model, deciding at some instants within the intervals, produces the history. */
export const explain = (model: ModelName, history: History, window: QuotaWindow): Explanation =>
  models[model](tallyOf(history, window))

/** The verdict of {@link explain} without the refuting exchanges, which is faster for some models. */
export const isExplained = (model: ModelName, history: History, window: QuotaWindow): boolean =>
  isExplainedBy(model, tallyOf(history, window))

/** {@link explain} for every admissible model, as if the quota were exact; O(n log n). */
const explainExactly = (history: History, window: QuotaWindow): Explanations => {
  const tally = tallyOf(history, window)
  return Object.fromEntries(admissibleModels(window).map((name) => [name, models[name](tally)] as const))
}

/** What every admissible model says about the quota as promised: exactly, or within its tolerance. */
export const explainAll = (history: History, window: QuotaWindow): Explanations =>
  isExact(window) ? explainExactly(history, window) : withinTolerance(history, window, explainExactly)

export const explainingModels = (explanations: Explanations): ModelName[] =>
  modelNames.filter((name) => explanations[name]?.verdict === 'explained')
