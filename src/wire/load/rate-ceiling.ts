/** So much of what a wake came late is made up for, in milliseconds: else each late wake would slow the load for good. */
const slackMs = 5

/**
 * Holds a load to a rate, also where it catches up: after a stall of the machine, or once a slow target answers again. At
 * 50 a second two requests are 20 ms apart, and never more than 5 ms closer after a late one: no second holds more than
 * one beyond the rate, whatever the key sent just before the load.
 */
export class RateCeiling {
  readonly #gapMs: number
  #nextAtMs = Number.NEGATIVE_INFINITY

  /** @param perSecond above 0: 0.5 is one every two seconds. */
  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond
  }

  /** How long one more request has to wait, in milliseconds: 0 where it may go now. */
  waitMs(now: number): number {
    return Math.max(0, this.#nextAtMs - now)
  }

  /** One went out. */
  went(now: number): void {
    this.#nextAtMs = Math.max(this.#nextAtMs, now - slackMs) + this.#gapMs
  }
}
