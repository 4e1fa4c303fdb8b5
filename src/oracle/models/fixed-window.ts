import { explainGrid } from '../counting/grid-windows.js'
import type { Phases } from '../counting/phase-circle.js'
import type { Tally } from '../counting/tally.js'
import type { Explanation } from './explanation.js'

/** A double near 1.8e12 ms, today's epoch, is exact to 0.0003 ms; this is well beyond it. */
const epochRoundingMs = 0.01

/** Where the multiples of W on the target's wall clock lie on the run's clock; anywhere, if its offset is unknown. */
export const clockPhases = ({ history, windowMs }: Tally): Phases => {
  const offset = history.targetEpochOffsetMs
  if (offset === null) return { from: 0, to: windowMs }
  return { from: -offset.to - epochRoundingMs, to: -offset.from + epochRoundingMs }
}

/**
 * Fixed window aligned with the clock: boundaries at the multiples of W on the target's wall clock, so at 12:00:00,
 * 12:01:00 and so on. They are known as well as that clock is; where it is not, every phase is allowed. A key may get
 * 60 requests at 12:00:59.9 and 60 more at 12:01:00.1, which is honest.
 */
export const explainFixedWindow = (tally: Tally): Explanation => explainGrid(tally, clockPhases(tally))
