import type { Explanation } from './explanation.js'
import { explainGrid } from './grid-windows.js'
import type { Tally } from './tally.js'

/** All L back every W, on a grid that begins at the first use: a fixed window whose phase nothing tells. */
export const explainIntervalRefill = (tally: Tally): Explanation => explainGrid(tally, { from: 0, to: tally.windowMs })
