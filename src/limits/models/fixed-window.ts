import { explainGrid } from '../counting/grid-windows.js'
import type { Phases } from '../counting/phase-circle.js'
import type { Tally } from '../counting/tally.js'
import type { Explanation } from './explanation.js'

/** Multiples of a window near today's epoch are known to a fraction of a microsecond; this is well beyond it. */
const epochRoundingMs = 0.01

/** The phases at which the multiples of W on the target's wall clock can lie; every phase where nothing tells its offset. */
export const clockPhases = ({ history, windowMs }: Tally): Phases => {
  const offset = history.targetEpochOffsetMs
  if (offset === null) return { from: 0, to: windowMs }
  return { from: -offset.to - epochRoundingMs, to: -offset.from + epochRoundingMs }
}

/**
 * Fixed window aligned with the clock: boundaries at the multiples of W on the target's wall clock. The phase is known
 * as far as the clock's offset is; where nothing tells the offset, every phase is allowed.
 */
export const explainFixedWindow = (tally: Tally): Explanation => explainGrid(tally, clockPhases(tally))
