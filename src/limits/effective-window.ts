import { type Explanation, type ModelName, modelNames } from './explanation.js'
import type { History, QuotaWindow } from './history.js'
import { explain } from './models.js'

/** Models that differ in what they ask of a limit and a window; GCRA and interval refill would only repeat. */
const searched: readonly ModelName[] = modelNames.filter((name) => name !== 'gcra' && name !== 'interval-refill')

type Direction = 'found' | 'admits-more' | 'admits-less'

const directionOf = (explanation: Explanation): Direction => {
  if (explanation.verdict === 'explained') return 'found'
  return explanation.overAdmitted >= explanation.earlyRefused ? 'admits-more' : 'admits-less'
}

/** Some limit with which some model explains the history, by bisection; null where there is none. */
export const effectiveLimit = (history: History, { limit, windowMs }: QuotaWindow): number | null => {
  for (const model of searched) {
    let [low, high] = [1, Math.max(2 * limit, history.size)]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const direction = directionOf(explain(model, history, { limit: middle, windowMs }))
      if (direction === 'found') return middle
      if (direction === 'admits-more') low = middle + 1
      else high = middle - 1
    }
  }
  return null
}

/** Window lengths that people set by mistake, as factors: tried before any other. */
const likelyFactors = [2, 0.5, 1.1, 0.9, 1.5, 0.75, 10, 0.1, 60, 1 / 60, 3, 1 / 3, 4, 0.25, 5, 0.2, 1.25, 0.8]
const widestFactor = 12
/** Of the logarithm of the length: about the width of the valley around the true length, after a dozen windows. */
const coarseStep = 0.02
const valleys = 3
const halvings = 12

/** How many exchanges one model has to explain away for a window of that length; 0 where it explains the history. */
type Misfit = (length: number) => number

/** Walks downhill from a length by ever smaller steps; a length that explains everything, or null. */
const descend = (misfit: Misfit, from: number): number | null => {
  let [length, least, step] = [from, misfit(from), coarseStep / 2]
  for (let round = 0; round < halvings && least > 0; round++, step /= 2) {
    for (const other of [length * Math.exp(step), length * Math.exp(-step)]) {
      const found = misfit(other)
      if (found < least) [length, least] = [other, found]
    }
  }
  return least === 0 ? length : null
}

/** Looks at lengths from `from` to `to` in small steps, and closely around those that come nearest. */
const searchLengths = (misfit: Misfit, from: number, to: number): number | null => {
  const steps = Math.ceil(Math.log(to / from) / coarseStep)
  const tried = Array.from({ length: steps + 1 }, (_, k) => from * Math.exp(k * coarseStep))
    .map((length) => ({ length, misfit: misfit(length) }))
    .sort((a, b) => a.misfit - b.misfit)
  for (const { length } of tried.slice(0, valleys)) {
    const found = descend(misfit, length)
    if (found !== null) return found
  }
  return null
}

/**
 * Some window length with which some model explains the history; null where none was found. The key is taken as unused
 * before: a run's silences are windows of the length that was said, and where nothing tells when a longer one began, a
 * window that the first request opens explains everything.
 */
export const effectiveWindowMs = (given: History, { limit, windowMs }: QuotaWindow): number | null => {
  const history = { ...given, priorUntilMs: Number.NEGATIVE_INFINITY }
  const explains = (model: ModelName, factor: number) =>
    explain(model, history, { limit, windowMs: windowMs * factor }).verdict === 'explained'
  const asSaid = searched.map((model) => explain(model, history, { limit, windowMs }))
  const isOver = asSaid.every((each) => each.verdict === 'refuted' && each.reason === 'over-admission')
  const isEarly = asSaid.every((each) => each.verdict === 'refuted' && each.reason === 'early-refusal')
  // Where every model sees too much admitted the window can only be shorter, and longer where all see too little.
  const plausible = likelyFactors.filter((factor) => (factor < 1 ? !isEarly : !isOver))
  const likely = plausible.find((factor) => searched.some((model) => explains(model, factor)))
  if (likely !== undefined) return windowMs * likely
  const from = isEarly ? windowMs : windowMs / widestFactor
  const to = isOver ? windowMs : windowMs * widestFactor
  // The sliding counter takes longest, and explains most: what only it explains at some odd length means little.
  for (const model of searched.filter((name) => name !== 'sliding-counter')) {
    const misfit: Misfit = (length) => {
      const explanation = explain(model, history, { limit, windowMs: length })
      return explanation.verdict === 'explained' ? 0 : explanation.overAdmitted + explanation.earlyRefused
    }
    const found = searchLengths(misfit, from, to)
    if (found !== null) return found
  }
  return null
}
