import type { Clock } from '../kit/clock.js'
import type { ClockReading } from './messages.js'
import { type RoundTrip, readClock } from './read-clock.js'
import { lastTripMs, tripEveryMs, tripsOfReading } from './timing.js'

/** Reads the coordinator's clock by asking it again and again. */
export interface ClockReader {
  /**
   * Asks for the time, all of it from now on: one reading after the other, and one for all who ask while another is
   * under way. Undefined where no answer came.
   */
  read(signal: AbortSignal): Promise<ClockReading | undefined>
  /** To be told of each answer. */
  answered(ping: number, otherMs: number): void
}

/** @param ask sends a question of this number. */
export const createClockReader = (clock: Clock, ask: (ping: number) => void): ClockReader => {
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
    read(signal) {
      if (queued) return queued
      const reading = current.then(() => {
        queued = undefined
        return readNow(signal)
      })
      queued = reading
      current = reading.catch(() => {})
      return reading
    },
    answered(ping, otherMs) {
      const askedMs = asked.get(ping)
      if (askedMs === undefined) return
      asked.delete(ping)
      trips.push({ askedMs, answeredMs: clock.monotonicMs(), otherMs })
    },
  }
}
