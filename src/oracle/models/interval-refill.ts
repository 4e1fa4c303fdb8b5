import { onceFor } from '../../kit/once-for.js'
import { explainGrid, isExplainedByGrid } from '../counting/grid-windows.js'
import type { Tally } from '../counting/tally.js'
import type { Explanation } from './explanation.js'

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
