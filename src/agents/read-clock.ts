import type { ClockReading } from './messages.js'
import { driftShare } from './offset-track.js'

/** A round trip: asked and answered at these moments of the asker's clock, with the other clock's time in between. */
export interface RoundTrip {
  readonly askedMs: number
  readonly answeredMs: number
  readonly otherMs: number
}

/**
 * Reads another clock from round trips (Cristian, Probabilistic clock synchronization, 1989): the other clock was read
 * at some moment between the question and its answer, so its offset lies in an interval as wide as the round trip. The
 * shortest one tells most. Asked at 100, answered at 100.4 with 5,000.1, it is ahead by 4,899.7 to 4,900.1.
 */
export const readClock = (trips: readonly RoundTrip[]): ClockReading | undefined => {
  const [first, ...others] = trips
  if (!first) return undefined
  const took = ({ askedMs, answeredMs }: RoundTrip) => answeredMs - askedMs
  const { askedMs, answeredMs, otherMs } = others.reduce((best, each) => (took(each) < took(best) ? each : best), first)
  const drift = (answeredMs - askedMs) * driftShare
  return { atMs: answeredMs, fromMs: otherMs - answeredMs - drift, toMs: otherMs - askedMs + drift }
}
