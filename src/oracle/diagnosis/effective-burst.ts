import type { History, QuotaWindow } from '../../readings/history.js'
import { explain } from '../models/explain.js'
import { wholeByBisection } from './effective-limit.js'

/**
 * What the bucket holds that explains the history with the rate that is said, found by bisection; null where none does,
 * or where the quota does not say it apart from its limit.
 */
export const effectiveBurst = (history: History, window: QuotaWindow): number | null => {
  if (window.burst === undefined) return null
  const at = (burst: number) => explain('token-bucket', history, { ...window, burst })
  return wholeByBisection(at, Math.max(2 * window.burst, history.size))
}
