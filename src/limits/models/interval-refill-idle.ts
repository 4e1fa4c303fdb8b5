import { onceFor } from '../../kit/once-for.js'
import type { Tally } from '../counting/tally.js'
import { isExplainedByChain } from '../counting/window-chain.js'
import { type Explanation, explained, type Refutation } from './explanation.js'
import { explainFirstRequest } from './fixed-window-first-request.js'
import { explainIntervalRefill, isExplainedByIntervalRefill } from './interval-refill.js'

/**
 * Whether interval refill in a store that forgets explains a history. Once the last window in which anything was
 * admitted is over, what is kept of it says no more than a full quota would, and may be gone: the grid goes on, or
 * begins anew with the next request. So each window is on the grid of the one before it, or opened by a request; none
 * overlap. Never to forget, and to forget at once, are ways to do it.
 */
export const isExplainedByIdleRefill = onceFor(
  (tally: Tally): boolean =>
    isExplainedByIntervalRefill(tally) ||
    explainFirstRequest(tally).verdict === 'explained' ||
    isExplainedByChain(tally, { onGrid: true }),
)

/** The same, with what has to be explained away where the grid, or a window that a request opens, comes closest. */
export const explainIdleRefill = (tally: Tally): Explanation => {
  if (isExplainedByIdleRefill(tally)) return explained
  const refuted = [explainIntervalRefill(tally), explainFirstRequest(tally)].filter(
    (each) => each.verdict === 'refuted',
  )
  return refuted.reduce((best, each) => (costOf(each) < costOf(best) ? each : best))
}

const costOf = ({ overAdmitted, earlyRefused }: Refutation): number => overAdmitted + earlyRefused
