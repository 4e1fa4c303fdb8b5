import type { History, QuotaWindow } from '../history.js'
import { explain } from '../models/explain.js'

/**
 * What the bucket holds that explains the history with the rate that is said, found by bisection; null where none does,
 * or where the quota does not say it apart from its limit.
 */
export const effectiveBurst = (history: History, window: QuotaWindow): number | null => {
  if (window.burst === undefined) return null
  let [low, high] = [1, Math.max(2 * window.burst, history.size)]
  while (low <= high) {
    const burst = (low + high) >>> 1
    const explanation = explain('token-bucket', history, { ...window, burst })
    if (explanation.verdict === 'explained') return burst
    if (explanation.overAdmitted >= explanation.earlyRefused) low = burst + 1
    else high = burst - 1
  }
  return null
}
