import { type ModelName, modelNames } from '../../contract/limiter-models.js'
import { type History, outcomes, type QuotaWindow } from '../../readings/history.js'
import { fullestWindow, overfullStarts } from '../counting/overfull-windows.js'
import { tallyOf } from '../counting/tally.js'
import { admissibleModels } from '../models/admissible.js'
import { explain, explaining, explainingOrElse } from '../models/explain.js'
import type { Explanation, Refutation } from '../models/explanation.js'
import { withLimit } from './resized.js'

/** Explains all that grids, and windows opened by a request, explain, and little more: asked where no other does. */
const widest: ModelName = 'interval-refill-idle'

/** The admissible models that explain a history with some limit and window. */
export const agreeing = (history: History, window: QuotaWindow): readonly ModelName[] =>
  explainingOrElse(widest, history, window)

/** All models, those last that take longest to refute. */
const slowest: readonly ModelName[] = [widest, 'sliding-counter']
const quickestFirst = [...modelNames].sort((a, b) => slowest.indexOf(a) - slowest.indexOf(b))

/** Whether any admissible model explains a history with some limit and window. */
export const fits = (history: History, window: QuotaWindow): boolean =>
  !explaining(quickestFirst, history, window).next().done

/** The most requests that were certainly admitted within a span of this length. */
const mostWithin = (history: History, spanMs: number): number =>
  fullestWindow(overfullStarts(tallyOf(history, { limit: 0, windowMs: spanMs })))?.count ?? 0

/**
 * The limits that can explain a history at all: no model admits more than 2 L within W, nor refuses before L were sent.
 * If 120 were admitted within a minute, and the first refusal came when 130 had been sent, they are 60 to 130.
 */
export const plausibleLimits = (history: History, { windowMs, burst }: QuotaWindow) => {
  // A bucket that holds another number than flows in within a window bounds neither so.
  if (burst !== undefined) return { least: 0, most: Number.POSITIVE_INFINITY }
  const tally = tallyOf(history, { limit: 0, windowMs })
  const fullest = mostWithin(history, windowMs)
  return {
    least: Math.floor(fullest / 2),
    most: tally.spentBefore.reduce((least, each) => Math.min(least, each), Infinity),
  }
}

/** The most nodes that are tried: more, all behind one address, are rare, and each one tried costs a search. */
export const mostNodes = 16

/** The models that cannot put a boundary of their windows inside a burst. */
const anchored: readonly ModelName[] = ['fixed-window-first-request', 'sliding-log', 'token-bucket']

/** Chance gives a node more than its share by up to so many standard deviations: by more in 1 of 700 cases. */
const mostDeviations = 3

/**
 * The fewest requests in all by which the first of several nodes is full, where chance picks a node for each: with 2
 * nodes and L = 60 it is 73, not 120.
 */
const leastWhenFull = (nodes: number, limit: number): number =>
  Math.max(limit, Math.floor(nodes * (limit - mostDeviations * Math.sqrt(limit))))

/** When one of several nodes may begin to refuse: when chance may have filled it, or as soon as L were admitted. */
export type RefusingNodes = 'when-full-by-chance' | 'at-any-time'

/**
 * The number of nodes behind the address, if each counts L by itself and chance picks one for each request: together
 * they admit up to that many times L, so 120 to 180 within a minute say three nodes of 60. Of the numbers on which the
 * most models agree, the smallest; null where none is plausible.
 */
export const nodesCountingAlone = (history: History, window: QuotaWindow, refusing: RefusingNodes): number | null => {
  const { limit } = window
  const admissible = admissibleModels(window)
  const asked = anchored.filter((model) => admissible.includes(model))
  const over = asked.filter((model) => isOnly('over-admission', explain(model, history, window)))
  const admissions = {
    ...history,
    outcome: history.outcome.map((each) => (each === outcomes.refused ? outcomes.excused : each)),
  }
  const agrees = (model: ModelName, nodes: number): boolean => {
    if (explain(model, admissions, withLimit(window, nodes * limit)).verdict === 'refuted') return false
    if (refusing === 'at-any-time') return true
    const first = explain(model, history, withLimit(window, leastWhenFull(nodes, limit)))
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
