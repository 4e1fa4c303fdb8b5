import type { Explanation } from './explanation.js'
import { explainGrid, isExplainedByGrid } from './grid-windows.js'
import { oncePerTally } from './once-per-tally.js'
import type { Tally } from './tally.js'

/** All L back every W, on a grid that begins at the first use: a fixed window whose phase nothing tells. */
export const explainIntervalRefill = oncePerTally(
  (tally: Tally): Explanation => explainGrid(tally, { from: 0, to: tally.windowMs }),
)

/** The verdict alone. */
export const isExplainedByIntervalRefill = oncePerTally((tally: Tally): boolean =>
  isExplainedByGrid(tally, { from: 0, to: tally.windowMs }),
)
