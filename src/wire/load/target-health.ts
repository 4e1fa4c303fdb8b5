import type { Disturbance, LoadSpec } from './load-order.js'

/** Fewer answers say nothing about a target's health. */
const fewestAnswers = 20

/** By default, this many consecutive failures end a load, or two per connection if that is more. */
const fewestFailures = 10

/** The circuit breaker of a load: decides when answers and failures must end it. */
export class TargetHealth {
  readonly #mostFailures: number
  readonly #mostServerErrorPercent: number
  #answers = 0
  #serverErrors = 0
  #failures = 0
  #lastFailure = ''

  constructor({ breaker, connections, mostServerErrorPercent = 100 }: LoadSpec) {
    this.#mostFailures = breaker?.failures ?? Math.max(fewestFailures, 2 * connections)
    this.#mostServerErrorPercent = mostServerErrorPercent
  }

  get inARow(): { readonly failures: number; readonly last: string } {
    return { failures: this.#failures, last: this.#lastFailure }
  }

  /** Why the load must end after this answer; undefined if it need not. */
  answered(status: number): string | undefined {
    this.#failures = 0
    this.#answers++
    if (status < 500) return undefined
    this.#serverErrors++
    const isBorne = this.#serverErrors * 100 <= this.#answers * this.#mostServerErrorPercent
    if (this.#answers < fewestAnswers || isBorne) return undefined
    return `${this.#serverErrors} of its first ${this.#answers} answers were 5xx`
  }

  failed(detail: string): string | undefined {
    this.#failures++
    this.#lastFailure = detail
    if (this.#failures < this.#mostFailures) return undefined
    return `${this.#failures} failures in a row, the last: ${detail}`
  }
}

/** Knows until when a target disturbed on purpose may fail: until it has answered a request sent after the disturbance. */
export class Borne {
  /** Past disturbances, each until the first good answer after it. */
  readonly #over: { readonly fromMs: number; readonly untilMs: number }[] = []

  constructor(readonly last: () => Disturbance | undefined = () => undefined) {}

  answered(status: number, sentMs: number, nowMs: number): void {
    const open = this.#open()
    if (open && status < 500 && sentMs >= open.endedMs) this.#over.push({ fromMs: open.fromMs, untilMs: nowMs })
  }

  isBorne(nowMs: number): boolean {
    const open = this.#open()
    return open !== undefined && nowMs >= open.fromMs
  }

  isHeldUp(dueMs: number): boolean {
    const open = this.#open()
    return (
      (open !== undefined && dueMs >= open.fromMs) ||
      this.#over.some(({ fromMs, untilMs }) => dueMs >= fromMs && dueMs <= untilMs)
    )
  }

  #open(): Disturbance | undefined {
    const last = this.last()
    return last && this.#over.at(-1)?.fromMs === last.fromMs ? undefined : last
  }
}
