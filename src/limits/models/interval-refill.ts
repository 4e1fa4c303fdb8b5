import { onceFor } from '../../kit/once-for.js'
import { explainGrid, isExplainedByGrid } from '../counting/grid-windows.js'
import type { Tally } from '../counting/tally.js'
import type { Explanation } from './explanation.js'

/** All L back every W, on a grid that begins at the first use: a fixed window whose phase nothing tells. */
export const explainIntervalRefill = onceFor(
  (tally: Tally): Explanation => explainGrid(tally, { from: 0, to: tally.windowMs }),
)

/** The verdict alone. */
export const isExplainedByIntervalRefill = onceFor((tally: Tally): boolean =>
  isExplainedByGrid(tally, { from: 0, to: tally.windowMs }),
)
