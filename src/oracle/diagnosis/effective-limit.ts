import type { ModelName } from '../../contract/limiter-models.js'
import type { History, QuotaWindow } from '../../readings/history.js'
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

/** The whole number from 1 to `most` that explains a history, found by bisection; null where none is met. */
export const wholeByBisection = (at: (middle: number) => Explanation, most: number): number | null => {
  let [low, high] = [1, most]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const explanation = at(middle)
    if (explanation.verdict === 'explained') return middle
    if (explanation.overAdmitted >= explanation.earlyRefused) low = middle + 1
    else high = middle - 1
  }
  return null
}

/** A limit with which some model explains the history, found by bisection; null where none was found. */
export const effectiveLimit = (history: History, window: QuotaWindow): number | null => {
  const admissible = admissibleModels(window)
  for (const model of searched.filter((each) => admissible.includes(each))) {
    const at = (limit: number) => explain(model, history, withLimit(window, limit))
    const found = wholeByBisection(at, Math.max(2 * window.limit, history.size))
    if (found !== null) return found
  }
  return null
}
