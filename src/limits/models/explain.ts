import { type ModelName, modelNames } from '../../contract/any/limiter-models.js'
import { isExplainedByGrid } from '../counting/grid-windows.js'
import { type Tally, tallyOf } from '../counting/tally.js'
import type { History, QuotaWindow } from '../history.js'
import type { Explanation } from './explanation.js'
import { clockPhases, explainFixedWindow } from './fixed-window.js'
import { explainFirstRequest } from './fixed-window-first-request.js'
import { explainGcra } from './gcra.js'
import { explainIntervalRefill, isExplainedByIntervalRefill } from './interval-refill.js'
import { explainIdleRefill, isExplainedByIdleRefill } from './interval-refill-idle.js'
import { explainSlidingCounter } from './sliding-counter.js'
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
  gcra: explainGcra,
}

/** Models whose verdict alone, without what refutes them, can be had faster. */
const sooner: Readonly<Partial<Record<ModelName, (tally: Tally) => boolean>>> = {
  'fixed-window': (tally) => isExplainedByGrid(tally, clockPhases(tally)),
  'interval-refill': isExplainedByIntervalRefill,
  'interval-refill-idle': isExplainedByIdleRefill,
}

const isExplainedBy = (model: ModelName, tally: Tally): boolean =>
  sooner[model]?.(tally) ?? models[model](tally).verdict === 'explained'

/** Those among some models that explain the history, in their order. */
export function* explaining(among: readonly ModelName[], history: History, window: QuotaWindow): Generator<ModelName> {
  const tally = tallyOf(history, window)
  for (const model of among) if (isExplainedBy(model, tally)) yield model
}

/** All models that explain the history; `lastResort`, which is slow to ask, only where no other does. */
export const explainingOrElse = (
  lastResort: ModelName,
  history: History,
  window: QuotaWindow,
): readonly ModelName[] => {
  const tally = tallyOf(history, window)
  const found = modelNames.filter((model) => model !== lastResort && isExplainedBy(model, tally))
  return found.length > 0 || !isExplainedBy(lastResort, tally) ? found : [lastResort]
}

export type Explanations = Readonly<Record<ModelName, Explanation>>

/** Whether some limiter of the model, deciding at some instants within the intervals, produces the history. */
export const explain = (model: ModelName, history: History, window: QuotaWindow): Explanation =>
  models[model](tallyOf(history, window))

/** {@link explain} for every admissible model; O(n log n). */
export const explainAll = (history: History, window: QuotaWindow): Explanations => {
  const tally = tallyOf(history, window)
  const entries = modelNames.map((name) => [name, models[name](tally)] as const)
  return Object.fromEntries(entries) as Record<ModelName, Explanation>
}

/** The models that explain the history. */
export const explainingModels = (explanations: Explanations): ModelName[] =>
  modelNames.filter((name) => explanations[name].verdict === 'explained')
