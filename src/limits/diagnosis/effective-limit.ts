import type { History, QuotaWindow } from '../history.js'
import { explain } from '../models/explain.js'
import type { Explanation, ModelName } from '../models/explanation.js'

/** GCRA and interval refill would only repeat what others find. */
const searched: readonly ModelName[] = [
  'fixed-window',
  'fixed-window-first-request',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
]

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
