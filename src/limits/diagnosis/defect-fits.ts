import { fullestWindow, overfullStarts } from '../counting/overfull-windows.js'
import { tallyOf } from '../counting/tally.js'
import { type History, outcomes, type QuotaWindow } from '../history.js'
import { explain, explaining, explainingOrElse } from '../models/explain.js'
import { type Explanation, type ModelName, modelNames, type Refutation } from '../models/explanation.js'

/** Explains whatever a grid or windows that a request opens do, and little else: it speaks where no other does. */
const widest: ModelName = 'interval-refill-idle'

/** The admissible models that explain a history with some limit and window. */
export const agreeing = (history: History, window: QuotaWindow): readonly ModelName[] =>
  explainingOrElse(widest, history, window)

/** The same models, those that take longest to refute last. */
const slowest: readonly ModelName[] = [widest, 'sliding-counter']
const quickestFirst = [...modelNames].sort((a, b) => slowest.indexOf(a) - slowest.indexOf(b))

/** Whether any admissible model explains a history with some limit and window. */
export const fits = (history: History, window: QuotaWindow): boolean =>
  !explaining(quickestFirst, history, window).next().done

/** The most that were certainly admitted within a span of that length. */
const mostWithin = (history: History, spanMs: number): number =>
  fullestWindow(overfullStarts(tallyOf(history, { limit: 0, windowMs: spanMs })))?.count ?? 0

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

/** How unevenly chance fills nodes before the first of them is full, in standard deviations of its share. */
const unevenness = 3

/** How few may be spent when the first of several nodes is full, if chance picks one for each request. */
const leastWhenFull = (nodes: number, limit: number): number =>
  Math.max(limit, Math.floor(nodes * (limit - unevenness * Math.sqrt(limit))))

/** When nodes that count alone may begin to refuse: where chance lets the first of them be full, or as soon as L are spent. */
export type RefusingNodes = 'when-full-by-chance' | 'at-any-time'

/**
 * The number of nodes that each count L alone, where requests fall on them by chance: together they admit up to that
 * many times L. The first number that most models agree on.
 */
export const nodesCountingAlone = (history: History, window: QuotaWindow, refusing: RefusingNodes): number | null => {
  const { limit } = window
  const over = anchored.filter((model) => isOnly('over-admission', explain(model, history, window)))
  const admissions = {
    ...history,
    outcome: history.outcome.map((each) => (each === outcomes.refused ? outcomes.excused : each)),
  }
  const agrees = (model: ModelName, nodes: number): boolean => {
    if (explain(model, admissions, { ...window, limit: nodes * limit }).verdict === 'refuted') return false
    if (refusing === 'at-any-time') return true
    const first = explain(model, history, { ...window, limit: leastWhenFull(nodes, limit) })
    return first.verdict === 'explained' || first.reason === 'over-admission'
  }
  const { least } = plausibleLimits(history, window)
  let best: { nodes: number; models: number } | null = null
  for (let nodes = Math.max(2, Math.ceil(least / limit)); nodes <= mostNodes && over.length > 0; nodes++) {
    const models = over.filter((model) => agrees(model, nodes)).length
    if (models > (best?.models ?? 0)) best = { nodes, models }
    if (models === over.length) break
  }
  return best?.nodes ?? null
}

const isOnly = (reason: Refutation['reason'], explanation: Explanation): boolean =>
  explanation.verdict === 'refuted' && explanation.reason === reason
