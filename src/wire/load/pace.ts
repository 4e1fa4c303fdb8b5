import { type Alarm, startPacer } from './pacer.js'
import { RateCeiling } from './rate-ceiling.js'
import type { Shape } from './schedule.js'

/** When the requests of a load are to go. Times are milliseconds on the alarm's clock. */
export interface PaceSpec {
  readonly amount: number
  /** When each request is due, from the load's begin; without one all are due at once. */
  readonly shape?: Shape
  /** The moment at which the load begins; else it begins when it is told to. */
  readonly beginAtMs?: number
  /** The most requests that go in a second, also where the load catches up. */
  readonly mostPerSecond?: number
}

/** What a pace tells the load that it paces. */
export interface Paced {
  /** More is due, or what was held back may go. */
  send(): void
  /** So many will be due soon: time to connect. */
  soon(due: number): void
}

/** Says how many requests of a load are due by now, and whether its ceiling lets one of them go. */
export class Pace {
  readonly #ceiling: RateCeiling | undefined
  #stopPacer = () => {}
  /** Set while the ceiling holds back what is due. */
  #stopHolding: (() => void) | undefined
  #begunMs = Number.NaN
  #due = 0

  constructor(
    readonly spec: PaceSpec,
    readonly alarm: Alarm,
    readonly paced: Paced,
  ) {
    this.#ceiling = spec.mostPerSecond === undefined ? undefined : new RateCeiling(spec.mostPerSecond)
  }

  /** How many requests have been due since the load began. */
  get due(): number {
    return this.#due
  }

  /** Waits for the moment that the spec names; a load that is late for it catches up, and shows by how much. */
  begin(): void {
    const now = this.alarm.monotonicMs()
    const { beginAtMs = now, shape, amount } = this.spec
    if (now < beginAtMs) {
      this.#stopPacer = this.alarm.wakeIn(beginAtMs - now, () => this.begin())
      return
    }
    this.#begunMs = beginAtMs
    if (!shape) {
      this.#release(amount)
      return
    }
    this.#stopPacer = startPacer({
      shape,
      amount,
      startMs: beginAtMs,
      alarm: this.alarm,
      release: (due) => this.#release(due),
      soon: (due) => this.paced.soon(due),
    })
  }

  /** When request `n` was to go; NaN where no shape says so. */
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

  /** One request went out. */
  went(now: number): void {
    this.#ceiling?.went(now)
  }

  /** Nothing more falls due, and nothing is told any more. */
  stop(): void {
    this.#stopPacer()
    this.#stopHolding?.()
  }

  #release(due: number): void {
    this.#due = due
    this.paced.send()
  }
}
