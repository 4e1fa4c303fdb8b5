import type { ModelName } from '../../contract/any/limiter-models.js'
import type { History, QuotaWindow } from '../history.js'
import { admissibleModels } from '../models/admissible.js'
import { explain } from '../models/explain.js'
import type { Explanation } from '../models/explanation.js'
import { withLimit } from './resized.js'

/** The models that are tried; GCRA and interval refill would only repeat what these find. */
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

/** A limit with which some model explains the history, found by bisection; null where none was found. */
export const effectiveLimit = (history: History, window: QuotaWindow): number | null => {
  const admissible = admissibleModels(window)
  for (const model of searched.filter((each) => admissible.includes(each))) {
    let [low, high] = [1, Math.max(2 * window.limit, history.size)]
    while (low <= high) {
      const middle = (low + high) >>> 1
      const direction = directionOf(explain(model, history, withLimit(window, middle)))
      if (direction === 'found') return middle
      if (direction === 'admits-more') low = middle + 1
      else high = middle - 1
    }
  }
  return null
}
