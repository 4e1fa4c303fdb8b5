import type { Clock } from '../kit/clock.js'
import { overlap, type Span } from '../readings/history.js'
import type { ClockReading } from './messages.js'

/** Round trips for one reading, how far apart they begin, and how long the last one is waited for. */
const tripsOfReading = 50

const tripEveryMs = 4

const lastTripMs = 1_000

/** Two clocks drift apart by no more than this share of the time that passes: 100 ppm, 0.5 ms in 5 s. */
export const driftShare = 1e-4

/** By how much the coordinator's clock is ahead of an agent's at a moment, and by how much that may be wrong. */
export interface Offset {
  readonly ms: number
  readonly errorMs: number
  /** False where the clocks moved apart by more than they may: the error then has room for the whole move. */
  readonly isKept: boolean
}

/** The offset at every moment of the agent's clock. */
type OffsetTrack = (agentMs: number) => Offset

const hull = (a: Span, b: Span): Span => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) })

/** What a reading says of another moment: less, the farther away that is. */
const seenFrom = ({ atMs, fromMs, toMs }: ClockReading, ms: number): Span => {
  const drift = Math.abs(ms - atMs) * driftShare
  return { from: fromMs - drift, to: toMs + drift }
}

const asOffset = ({ from, to }: Span, isKept: boolean): Offset => ({
  ms: (from + to) / 2,
  errorMs: (to - from) / 2,
  isKept,
})

/**
 * The offset over time, from readings: at each moment it lies in what the readings before and after it both allow. Where
 * these contradict each other the clock has moved, at some moment in between, from somewhere in the one to somewhere in
 * the other. Undefined without a reading.
 */
export const offsetTrack = (readings: readonly ClockReading[]): OffsetTrack | undefined => {
  if (readings.length === 0) return undefined
  const sorted = [...readings].sort((a, b) => a.atMs - b.atMs)
  const last = sorted.length - 1
  let at = 0
  return (agentMs) => {
    // Rows come in order: the place is next to where the last one was, as a rule.
    while (at < last && sorted[at + 1].atMs <= agentMs) at += 1
    while (at > 0 && sorted[at].atMs > agentMs) at -= 1
    const before = sorted[at]
    const after = sorted[Math.min(at + 1, last)]
    if (before === after || agentMs < before.atMs) return asOffset(seenFrom(before, agentMs), true)
    // Whether the two agree does not depend on the moment between them.
    const met = overlap(seenFrom(before, after.atMs), { from: after.fromMs, to: after.toMs })
    const [one, other] = [seenFrom(before, agentMs), seenFrom(after, agentMs)]
    return met.from <= met.to ? asOffset(overlap(one, other), true) : asOffset(hull(one, other), false)
  }
}

/** A round trip: asked and answered at these moments of the asker's clock, with the other clock's time in between. */
interface RoundTrip {
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

/**
 * Reads the coordinator's clock by asking it again and again.
 *
 * @param ask sends a question of this number.
 */
export const createClockReader = (clock: Clock, ask: (ping: number) => void) => {
  const asked = new Map<number, number>()
  let next = 0
  let trips: RoundTrip[] = []
  let current: Promise<unknown> = Promise.resolve()
  let queued: Promise<ClockReading | undefined> | undefined

  const readNow = async (signal: AbortSignal): Promise<ClockReading | undefined> => {
    asked.clear()
    trips = []
    for (let trip = 0; trip < tripsOfReading; trip += 1) {
      next += 1
      asked.set(next, clock.monotonicMs())
      ask(next)
      await clock.sleep(tripEveryMs, signal)
    }
    for (let waitedMs = 0; waitedMs < lastTripMs && trips.length < tripsOfReading; waitedMs += tripEveryMs)
      await clock.sleep(tripEveryMs, signal)
    return readClock(trips)
  }

  return {
    /**
     * Asks for the time, all of it from now on: one reading after the other, and one for all who ask while another is
     * under way. Undefined where no answer came.
     */
    read(signal: AbortSignal): Promise<ClockReading | undefined> {
      if (queued) return queued
      const reading = current.then(() => {
        queued = undefined
        return readNow(signal)
      })
      queued = reading
      current = reading.catch(() => {})
      return reading
    },
    answered(ping: number, otherMs: number): void {
      const askedMs = asked.get(ping)
      if (askedMs === undefined) return
      asked.delete(ping)
      trips.push({ askedMs, answeredMs: clock.monotonicMs(), otherMs })
    },
  }
}
