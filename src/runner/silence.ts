/** So many questions in a row come to nothing before a time in which we asked nothing is held against the target. */
const fewestFailures = 5

/**
 * How long a target has been silent, on all connections of a run together. Times are milliseconds on one clock that
 * never steps back.
 *
 * An answer is a whole one, head and body, that came within the limits of its exchange, whatever it says. Silence begins
 * with the last answer where other questions are still open then, else with the next question; it ends with the next
 * answer to any of them. It lasts only while a question is open. A time in which we asked nothing ourselves is none of
 * the target's: it counts once several questions in a row came to nothing, before it and after it.
 *
 * So a target that answers each question within its limits is never silent for longer than these limits, however slow it
 * is and however long we wait in between; and the time-outs of one question after the other add up.
 */
export class Silence {
  #open = 0
  #failures = 0
  #since: number | undefined
  /** When the last open question came to nothing. */
  #idleSince = 0
  /** What is not held against the target. */
  #excusedMs = 0
  /** Time without an open question, of which it is still open whether it is. */
  #idleMs = 0

  get failures(): number {
    return this.#failures
  }

  get open(): number {
    return this.#open
  }

  /** A question went out, or a connection for it was asked for. */
  asked(at: number): void {
    if (this.#open === 0 && this.#since !== undefined) this.#idleMs += Math.max(0, at - this.#idleSince)
    this.#since ??= at
    this.#open += 1
  }

  /** A question was answered in full and in time. */
  answered(at: number): void {
    this.#open -= 1
    this.#since = this.#open > 0 ? at : undefined
    this.#failures = this.#excusedMs = this.#idleMs = 0
  }

  /** A question came to nothing: no connection, no answer, or only a part of one. */
  failed(at: number): void {
    this.#open -= 1
    this.#failures += 1
    if (this.#failures < fewestFailures) this.#excusedMs += this.#idleMs
    this.#idleMs = 0
    if (this.#open === 0) this.#idleSince = at
  }

  /** For so long we did not listen ourselves. */
  deaf(ms: number): void {
    if (this.#open > 0) this.#excusedMs += ms
  }

  lastedMs(now: number): number {
    if (this.#since === undefined) return 0
    const until = this.#open > 0 ? now : this.#idleSince
    return until - this.#since - this.#excusedMs - this.#idleMs
  }
}
