import type { Explanation } from './explanation.js'
import { explainGrid } from './grid-windows.js'
import type { Tally } from './tally.js'

/** Multiples of a window near today's epoch are known to a fraction of a microsecond; this is well beyond it. */
const epochRoundingMs = 0.01

/**
 * Fixed window aligned with the clock: boundaries at the multiples of W on the target's wall clock. The phase is known
 * as far as the clock's offset is; where nothing tells the offset, every phase is allowed.
 */
export const explainFixedWindow = (tally: Tally): Explanation => {
  const offset = tally.history.targetEpochOffsetMs
  if (offset === null) return explainGrid(tally, { from: 0, to: tally.windowMs })
  return explainGrid(tally, { from: -offset.to - epochRoundingMs, to: -offset.from + epochRoundingMs })
}
