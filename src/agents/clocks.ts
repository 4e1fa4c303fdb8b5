import type { Clock } from '../kit/clock.js'
import { overlap, type Span } from '../readings/history.js'
import type { ClockReading } from './messages.js'

/** The number of round trips of a reading, how far apart they begin, and how long to wait for the last. */
const tripsOfReading = 50

const tripEveryMs = 4

const lastTripMs = 1_000

/** The most that two clocks drift apart, as a share of time: 100 ppm, 0.5 ms in 5 s. */
export const driftShare = 1e-4

/** How far the coordinator's clock is ahead of an agent's at a moment, and the error of that. */
export type Offset = ReturnType<typeof asOffset>

/** What a reading says about another moment: the farther away, the less precise. */
const seenFrom = ({ atMs, fromMs, toMs }: ClockReading, ms: number): Span => {
  const drift = Math.abs(ms - atMs) * driftShare
  return { from: fromMs - drift, to: toMs + drift }
}

/** `isKept`: false if the clocks moved apart by more than they may: then the error covers the whole move. */
const asOffset = ({ from, to }: Span, isKept: boolean) => ({
  ms: (from + to) / 2,
  errorMs: (to - from) / 2,
  isKept,
})

/**
 * The offset over time, from readings: at each moment it lies in what the readings before and after it both allow. If they
 * contradict each other, the clock moved between them, from somewhere in the one to somewhere in the other. Undefined
 * without a reading.
 */
export const offsetTrack = (readings: readonly ClockReading[]): ((agentMs: number) => Offset) | undefined => {
  if (readings.length === 0) return undefined
  const sorted = [...readings].sort((a, b) => a.atMs - b.atMs)
  const last = sorted.length - 1
  let at = 0
  return (agentMs) => {
    // Rows come in order, so the place is usually next to the previous one.
    while (at < last && sorted[at + 1].atMs <= agentMs) at += 1
    while (at > 0 && sorted[at].atMs > agentMs) at -= 1
    const before = sorted[at]
    const after = sorted[Math.min(at + 1, last)]
    if (before === after || agentMs < before.atMs) return asOffset(seenFrom(before, agentMs), true)
    // Whether the two agree does not depend on the moment between them.
    const met = overlap(seenFrom(before, after.atMs), { from: after.fromMs, to: after.toMs })
    const [one, other] = [seenFrom(before, agentMs), seenFrom(after, agentMs)]
    if (met.from <= met.to) return asOffset(overlap(one, other), true)
    return asOffset({ from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) }, false)
  }
}

/** A round trip: when it was asked and answered by the asker's clock, and the other clock's time in between. */
interface RoundTrip {
  readonly askedMs: number
  readonly answeredMs: number
  readonly otherMs: number
}

/**
 * Reads another clock by round trips (Cristian, Probabilistic clock synchronization, 1989): the other clock was read at
 * some moment between question and answer, so its offset lies in an interval as wide as the round trip, and the shortest
 * one says most. Asked at 100 and answered at 100.4 with 5,000.1, it is ahead by 4,899.7 to 4,900.1.
 */
export const readClock = (trips: readonly RoundTrip[]): ClockReading | undefined => {
  const [first, ...others] = trips
  if (!first) return undefined
  const took = ({ askedMs, answeredMs }: RoundTrip) => answeredMs - askedMs
  const { askedMs, answeredMs, otherMs } = others.reduce((best, each) => (took(each) < took(best) ? each : best), first)
  const drift = (answeredMs - askedMs) * driftShare
  return { atMs: answeredMs, fromMs: otherMs - answeredMs - drift, toMs: otherMs - askedMs + drift }
}

/** Reads the coordinator's clock by asking it again and again. `ask` sends a question of this number. */
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
    /** Takes a reading that starts after this call; callers who ask during one share the next. Undefined: no answer. */
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
