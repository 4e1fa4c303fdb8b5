import { longestTimerMs } from '../../kit/clock.js'
import type { LoadSpec } from './load-order.js'
import type { Shape } from './schedule.js'

/** A clock that can wake the pacer, sometimes early or late. */
interface Alarm {
  monotonicMs(): number
  /** Calls `wake` once after about `ms`, unless the returned function is called before. */
  wakeIn(ms: number, wake: () => void): () => void
}

/** An alarm on Node's timers, which wait whole milliseconds; the rest is waited in turns of the event loop. */
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

/** Time to make a connection, TLS included, to a target that is not far away. */
const noticeMs = 100

const dueBy = (shape: Shape, amount: number, from: number, ms: number) => {
  let due = from
  while (due < amount && shape(due) <= ms) due++
  return due
}

/** How much of a wake's lateness is made up, in milliseconds: else each late wake would slow the load for good. */
const slackMs = 5

/**
 * Keeps a load to a rate, even when it catches up: after a stall of the machine, or once a slow target answers again. At 50 a
 * second requests are 20 ms apart, and at most 5 ms closer after a late one: no second holds more than one above the rate,
 * whatever the key sent just before the load.
 */
export class RateCeiling {
  readonly #gapMs: number
  #nextAtMs = Number.NEGATIVE_INFINITY

  /** @param perSecond above 0; 0.5 is one every two seconds. */
  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond
  }

  /** How long one more request must wait, in milliseconds: 0 if it may go now. */
  waitMs(now: number): number {
    return Math.max(0, this.#nextAtMs - now)
  }

  went(now: number): void {
    this.#nextAtMs = Math.max(this.#nextAtMs, now - slackMs) + this.#gapMs
  }
}

/** When the requests of a load are to go. Times are milliseconds on the alarm's clock. */
type PaceSpec = Pick<LoadSpec, 'amount' | 'shape' | 'beginAtMs' | 'mostPerSecond'>

interface Paced {
  /** More is due, or the ceiling lets something go again. */
  send(): void
  /** `due` requests will be due soon: time to connect. */
  soon(due: number): void
}

/** Tells how many requests of a load are due by now, and whether its ceiling lets one of them go. */
export class Pace {
  readonly #ceiling: RateCeiling | undefined
  #cancelWake = () => {}
  #stopHolding: (() => void) | undefined
  #begunMs = Number.NaN
  #due = 0
  #last: number
  #noticed = -1
  readonly #wake = () => this.#look()

  constructor(
    readonly spec: PaceSpec,
    readonly alarm: Alarm,
    readonly paced: Paced,
  ) {
    this.#last = spec.amount
    this.#ceiling = spec.mostPerSecond === undefined ? undefined : new RateCeiling(spec.mostPerSecond)
  }

  get due(): number {
    return this.#due
  }

  /** Waits for the moment that the spec names; a late load catches up, and records how late it was. */
  begin(): void {
    const now = this.alarm.monotonicMs()
    const { beginAtMs = now, shape, amount } = this.spec
    if (now < beginAtMs) {
      this.#cancelWake = this.alarm.wakeIn(beginAtMs - now, () => this.begin())
      return
    }
    this.#begunMs = beginAtMs
    if (!shape) {
      this.#release(amount)
      return
    }
    this.#wake()
  }

  /** When request `n` was due; NaN without a shape. */
  plannedMs(n: number): number {
    const { shape } = this.spec
    return shape ? this.#begunMs + shape(n) : Number.NaN
  }

  /** Whether the ceiling lets nothing go yet; the load is told as soon as it does. */
  holdsBack(): boolean {
    const waitMs = this.#ceiling?.waitMs(this.alarm.monotonicMs()) ?? 0
    if (waitMs === 0) return false
    this.#stopHolding ??= this.alarm.wakeIn(waitMs, () => {
      this.#stopHolding = undefined
      this.paced.send()
    })
    return true
  }

  went(now: number): void {
    this.#ceiling?.went(now)
  }

  /** Nothing more falls due or is announced. */
  stop(): void {
    this.#last = this.#due
    this.#cancelWake()
    this.#stopHolding?.()
  }

  /** Releases each request when due, by the load's start so that delays do not add up; overdue ones go at once. */
  #look(): void {
    const { shape } = this.spec
    if (!shape) return
    const due = dueBy(shape, this.#last, this.#due, this.alarm.monotonicMs() - this.#begunMs)
    if (due > this.#due) this.#release(due)
    if (due >= this.#last) return
    const waitMs = this.#begunMs + shape(due) - this.alarm.monotonicMs()
    if (waitMs > 2 * noticeMs) {
      this.#cancelWake = this.alarm.wakeIn(waitMs - noticeMs, this.#wake)
      return
    }
    if (waitMs > noticeMs / 2 && this.#noticed !== due) {
      this.#noticed = due
      this.paced.soon(dueBy(shape, this.#last, due, shape(due) + noticeMs))
    }
    this.#cancelWake = this.alarm.wakeIn(Math.max(0, waitMs), this.#wake)
  }

  #release(due: number): void {
    this.#due = due
    this.paced.send()
  }
}
