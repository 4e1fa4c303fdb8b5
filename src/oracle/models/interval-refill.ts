import { onceFor } from '../../kit/once-for.js'
import { explainGrid, isExplainedByGrid } from '../counting/grid-windows.js'
import type { Tally } from '../counting/tally.js'
import { isExplainedByChain } from '../counting/window-chain.js'
import { type Explanation, explained, type Refutation } from './explanation.js'
import { explainFirstRequest } from './fixed-window.js'

/**
 * The whole quota comes back every W, on a grid that began with the key's first use ever, so that its phase is not
 * known. A key that was first used at 12:00:17 gets its minute's quota back at 12:01:17, 12:02:17 and so on.
 */
export const explainIntervalRefill = onceFor(
  (tally: Tally): Explanation => explainGrid(tally, { from: 0, to: tally.windowMs }),
)

/** Whether some phase of the grid explains the history. Faster than {@link explainIntervalRefill}. */
export const isExplainedByIntervalRefill = onceFor((tally: Tally): boolean =>
  isExplainedByGrid(tally, { from: 0, to: tally.windowMs }),
)

/**
 * Whether interval refill in a store that forgets idle keys explains a history. Once a window with admissions is over,
 * its state says no more than a full quota does, and may be dropped: the next window is on the same grid, or starts
 * with the next request. None overlap. A store that never forgets, and one that forgets at once, are the two extremes.
 *
 * Example, with W = 60 s: a grid that began at 0 s, with the last request at 30 s. A request at 150 s is in the window
 * [120, 180) s, or opens [150, 210) s. Both are honest; a window [90, 150) s is not.
 */
export const isExplainedByIdleRefill = onceFor(
  (tally: Tally): boolean =>
    isExplainedByIntervalRefill(tally) ||
    explainFirstRequest(tally).verdict === 'explained' ||
    isExplainedByChain(tally, { onGrid: true }),
)

/** The same, with what refutes the model: what the closer one of its two extremes leaves unexplained. */
export const explainIdleRefill = (tally: Tally): Explanation => {
  if (isExplainedByIdleRefill(tally)) return explained
  const refuted = [explainIntervalRefill(tally), explainFirstRequest(tally)].filter(
    (each) => each.verdict === 'refuted',
  )
  return refuted.reduce((best, each) => (costOf(each) < costOf(best) ? each : best))
}

const costOf = ({ overAdmitted, earlyRefused }: Refutation): number => overAdmitted + earlyRefused
