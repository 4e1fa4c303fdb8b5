import { longestTimerMs } from '../../kit/clock.js'
import type { Shape } from './schedule.js'

/** A clock that can wake the pacer. A wake may come early or late. */
export interface Alarm {
  monotonicMs(): number
  /** Calls `wake` once after about `ms`, unless the function that it returns is called before. */
  wakeIn(ms: number, wake: () => void): () => void
}

/** An alarm on Node's timers, which wait whole milliseconds; the rest is waited for in turns of the event loop. */
export const timerAlarm = (monotonicMs: () => number): Alarm => ({
  monotonicMs,
  wakeIn(ms, wake) {
    if (ms < 1) {
      const immediate = setImmediate(wake)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(wake, Math.min(Math.floor(ms), longestTimerMs))
    return () => clearTimeout(timer)
  },
})

export interface PacedLoad {
  readonly shape: Shape
  readonly amount: number
  /** The load's start on the alarm's clock. */
  readonly startMs: number
  readonly alarm: Alarm
  /** Called with the number of requests that are due by now, whenever that has grown. */
  readonly release: (due: number) => void
  /**
   * Called {@link noticeMs} before the end of a pause with the number that will be due soon after it: time to connect.
   */
  readonly soon: (due: number) => void
}

/** Time for a connection to be made, TLS included, to a target that is not far. */
const noticeMs = 100

const dueBy = (shape: Shape, amount: number, from: number, ms: number) => {
  let due = from
  while (due < amount && shape(due) <= ms) due++
  return due
}

/**
 * Releases each request when it is due, never before. Every wait is computed from the load's start, so that no
 * lateness adds up; what is overdue is released at once. Returns a function that stops it.
 */
export const startPacer = ({ shape, amount, startMs, alarm, release, soon }: PacedLoad): (() => void) => {
  let due = 0
  let noticed = -1
  let cancel = () => {}
  const tick = () => {
    const now = alarm.monotonicMs() - startMs
    const before = due
    due = dueBy(shape, amount, due, now)
    if (due > before) release(due)
    if (due >= amount) return
    const waitMs = startMs + shape(due) - alarm.monotonicMs()
    if (waitMs > 2 * noticeMs) {
      cancel = alarm.wakeIn(waitMs - noticeMs, tick)
      return
    }
    if (waitMs > noticeMs / 2 && noticed !== due) {
      noticed = due
      soon(dueBy(shape, amount, due, shape(due) + noticeMs))
    }
    cancel = alarm.wakeIn(Math.max(0, waitMs), tick)
  }
  tick()
  return () => {
    amount = due
    cancel()
  }
}
