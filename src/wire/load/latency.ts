import { build } from 'hdr-histogram-js'
import type { LedgerRows } from '../../evidence/ledger.js'
import { isAdmitted, isRefused } from '../../evidence/steady-share.js'
import { type Clock, leastStillMs } from '../../kit/clock.js'

/** A day, in microseconds: no exchange takes longer. */
const longestUs = 24 * 3600 * 1e6

/** Percentiles of durations in microseconds; null if there are none. Negative ones count as 0. */
export const percentilesMs = (durationsUs: Iterable<number>) => {
  const histogram = build({ highestTrackableValue: longestUs, numberOfSignificantValueDigits: 3, autoResize: false })
  let max = 0
  for (const us of durationsUs) {
    const bounded = Math.min(longestUs, Math.max(0, us))
    max = Math.max(max, bounded)
    histogram.recordValue(Math.round(bounded))
  }
  const count = histogram.totalCount
  if (count === 0) return null
  // A histogram returns the end of a bucket, which may exceed the largest value in it.
  const at = (percent: number) => Math.min(histogram.getValueAtPercentile(percent), max) / 1000
  return { count, p50: at(50), p90: at(90), p99: at(99), max: max / 1000 }
}

function* durations(rows: LedgerRows, fromUs: Float64Array, counts: (status: number) => boolean): Iterable<number> {
  for (let row = 0; row < rows.length; row++) {
    const took = rows.receivedUs[row] - fromUs[row]
    if (counts(rows.status[row]) && !Number.isNaN(took)) yield took
  }
}

const latencyFrom = (rows: LedgerRows, fromUs: Float64Array) => ({
  admitted: percentilesMs(durations(rows, fromUs, isAdmitted)),
  refused: percentilesMs(durations(rows, fromUs, isRefused)),
})

/** Latency of a load by outcome; null if nothing had that outcome. */
type Latency = ReturnType<typeof latencyFrom>

/** From just before a request's bytes were written until the answer's head was parsed, by outcome. */
export const latencyFromSent = (rows: LedgerRows): Latency => latencyFrom(rows, rows.sentUs)

/** The same, measured from when each was due: waiting for a slow target counts. Null without a schedule. */
export const latencyFromPlanned = (rows: LedgerRows): Latency => latencyFrom(rows, rows.plannedUs)

/** How far off schedule requests were sent, in milliseconds; null without one. `isHeldUp`: held up on purpose. */
export const scheduleErrorMs = (rows: LedgerRows, isHeldUp: (dueMs: number) => boolean = () => false) => {
  const errors = function* () {
    for (let row = 0; row < rows.length; row++) {
      const late = rows.sentUs[row] - rows.plannedUs[row]
      if (!Number.isNaN(late) && !isHeldUp(rows.plannedUs[row] / 1000)) yield Math.abs(late)
    }
  }
  const percentiles = percentilesMs(errors())
  return percentiles && { p50: percentiles.p50, p99: percentiles.p99, max: percentiles.max }
}

/** Measures this process's longest standstill: on a machine that is too busy, or was suspended. */
export const watchStalls = (clock: Clock) => {
  let last = clock.monotonicMs()
  let longest = 0
  const look = () => {
    const now = clock.monotonicMs()
    longest = Math.max(longest, now - last - leastStillMs)
    last = now
  }
  const timer = setInterval(look, leastStillMs)
  return {
    longestMs() {
      look()
      return Math.max(0, longest)
    },
    end: () => clearInterval(timer),
  }
}
