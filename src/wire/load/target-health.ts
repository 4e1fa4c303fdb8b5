import type { Disturbance, LoadSpec } from './load-order.js'

/** Fewer answers say nothing of a target's health. */
const fewestAnswers = 20

/** Failures in a row that end a load where it does not say: two for each connection, and so many at least. */
const fewestFailures = 10

/** The circuit breaker of a load: says when answers and failures show that it has to end. */
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

  /** Failures since the last answer, and what the last one was. */
  get inARow(): { readonly failures: number; readonly last: string } {
    return { failures: this.#failures, last: this.#lastFailure }
  }

  /** Why the load has to end after this answer; undefined where it does not. */
  answered(status: number): string | undefined {
    this.#failures = 0
    this.#answers++
    if (status < 500) return undefined
    this.#serverErrors++
    const isBorne = this.#serverErrors * 100 <= this.#answers * this.#mostServerErrorPercent
    if (this.#answers < fewestAnswers || isBorne) return undefined
    return `${this.#serverErrors} of its first ${this.#answers} answers were 5xx`
  }

  /** Why the load has to end after this failure; undefined where it does not. */
  failed(detail: string): string | undefined {
    this.#failures++
    this.#lastFailure = detail
    if (this.#failures < this.#mostFailures) return undefined
    return `${this.#failures} failures in a row, the last: ${detail}`
  }
}

/** Knows until when a target that is disturbed on purpose may fail: until it has answered what was sent after that. */
export class Borne {
  /** What is over, each until the first good answer after it. */
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
