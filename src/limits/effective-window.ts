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
const widestFactor = 64
const bisections = 20

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
  for (const model of searched) {
    let [low, high] = [-Math.log(widestFactor), Math.log(widestFactor)]
    for (let round = 0; round < bisections; round++) {
      const middle = (low + high) / 2
      const length = windowMs * Math.exp(middle)
      const direction = directionOf(explain(model, history, { limit, windowMs: length }))
      if (direction === 'found') return length
      if (direction === 'admits-more') high = middle
      else low = middle
    }
  }
  return null
}
