import { secondMs } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'
import { placesOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import type { Span } from './history.js'
import { viewOf } from './quota-views.js'
import { readingsOf } from './readings.js'
import { clockDespiteDates, clockOfWaits, type TargetClock, targetClock } from './target-clock.js'

/** How far whole seconds and a window's delay may put a Reset outside its window. */
const slackMs = 2 * secondMs

/** The rows whose Reset lies between the answer and the end of a window from it, if this is the target's clock. */
const rowsWithin = (evidence: Evidence, { from, to }: Span): ReadonlySet<number> => {
  const { size, reset, sentMs, receivedMs } = readingsOf(evidence)
  const latestMs = viewOf(evidence).windowMs + slackMs
  const isWithin = (row: number) =>
    reset[row] * secondMs >= sentMs[row] + from - slackMs && reset[row] * secondMs <= receivedMs[row] + to + latestMs
  return new Set(placesOf(size, isWithin))
}

/**
 * The clock by which a run's moments are read: the target's, or the run's own if answers name only waits. If Resets fit this
 * machine's clock and not the Dates, something else writes those: with a window of a minute and a Date that is 23 minutes
 * behind, a Reset that is 40 s ahead by this machine's clock does not count against the target.
 */
export const runClock = onceFor((evidence: Evidence): TargetClock => {
  const { exchanges, run } = evidence
  if (viewOf(evidence).namesWaits) return clockOfWaits(run.wallStartMs)
  const clock = targetClock(exchanges, run.wallStartMs)
  const own = clockDespiteDates(clock, run.wallStartMs)
  if (!own) return clock
  const [byDates, byOwn] = [clock, own.likely ?? own].map((each) => rowsWithin(evidence, each))
  return byOwn.size > byDates.size && [...byDates].every((row) => byOwn.has(row)) ? own : clock
})
