import { crowdedStarts, mostCrowded } from './crowding.js'
import { type ModelName, modelNames } from './explanation.js'
import { type History, outcomes, type QuotaWindow } from './history.js'
import { explain, explainAll, explainingModels } from './models.js'
import { tallyOf } from './tally.js'

/** The admissible models that explain a history with some limit and window. */
export const agreeing = (history: History, window: QuotaWindow): readonly ModelName[] =>
  explainingModels(explainAll(history, window))

/** The same models, those that take longest to refute last. */
const quickestFirst = [...modelNames].sort((a, b) => Number(a === 'sliding-counter') - Number(b === 'sliding-counter'))

/** Whether any admissible model explains a history with some limit and window. */
export const fits = (history: History, window: QuotaWindow): boolean =>
  quickestFirst.some((model) => explain(model, history, window).verdict === 'explained')

/** The most that were certainly admitted within a span of that length. */
export const mostWithin = (history: History, spanMs: number): number =>
  mostCrowded(crowdedStarts(tallyOf(history, { limit: 0, windowMs: spanMs })))?.count ?? 0

/** No limit outside these explains anything: no model admits 2 L + 1 within W, nor refuses before L were sent. */
export const plausibleLimits = (history: History, { windowMs }: QuotaWindow) => {
  const tally = tallyOf(history, { limit: 0, windowMs })
  const fullest = mostWithin(history, windowMs)
  return {
    least: Math.floor(fullest / 2),
    most: tally.spentBefore.reduce((least, each) => Math.min(least, each), Infinity),
  }
}

const mostNodes = 16

/** Of the models, those that cannot put a boundary of their windows inside a burst. */
const anchored: readonly ModelName[] = ['fixed-window-first-request', 'sliding-log', 'token-bucket']

/**
 * The number of nodes that each count L alone, where requests fall on them by chance: together they admit up to that
 * many times L, and one of them may refuse as soon as L are spent. The first number that most models agree on.
 */
export const nodesCountingAlone = (history: History, window: QuotaWindow): number | null => {
  const early = anchored.filter((model) => {
    const explanation = explain(model, history, window)
    return explanation.verdict === 'refuted' && explanation.reason === 'over-admission'
  })
  if (early.length === 0) return null
  const admissions = {
    ...history,
    outcome: history.outcome.map((each) => (each === outcomes.refused ? outcomes.excused : each)),
  }
  const { least } = plausibleLimits(history, window)
  let best: { nodes: number; models: number } | null = null
  for (let nodes = 2; nodes <= mostNodes; nodes++) {
    if (nodes * window.limit < least) continue
    const scaled = { ...window, limit: nodes * window.limit }
    const models = early.filter((model) => explain(model, admissions, scaled).verdict === 'explained').length
    if (models > 0 && (best === null || models > best.models)) best = { nodes, models }
    if (models === early.length) break
  }
  return best?.nodes ?? null
}
