/**
 * Holds a load to a rate, also where it catches up: after a stall of the machine, or once a slow target answers again.
 * At 50 a second the 51st request waits until a second has passed since the first one went out.
 */
export class RateCeiling {
  /** When the last of them went out, the oldest at the place that is written next. */
  readonly #wentAtMs: Float64Array
  readonly #withinMs: number
  #next = 0

  /** @param perSecond above 0; below 1, so many seconds lie between two: 0.5 is one every two seconds. */
  constructor(perSecond: number) {
    const most = Math.max(1, Math.floor(perSecond))
    this.#wentAtMs = new Float64Array(most).fill(Number.NEGATIVE_INFINITY)
    this.#withinMs = (most * 1000) / perSecond
  }

  /** How long one more request has to wait, in milliseconds: 0 where it may go now. */
  waitMs(now: number): number {
    return Math.max(0, this.#wentAtMs[this.#next] + this.#withinMs - now)
  }

  /** One went out. */
  went(now: number): void {
    this.#wentAtMs[this.#next] = now
    this.#next = (this.#next + 1) % this.#wentAtMs.length
  }
}
