/** So many questions in a row have to fail before a time without questions counts as the target's silence. */
const fewestFailures = 5

/**
 * How long a target has been silent, on all connections of a run together. Times are milliseconds on one clock that
 * never steps back.
 *
 * An answer is a whole one, head and body, that came within the limits of its exchange, whatever it says. Silence
 * begins with the last answer if other questions were open then, else with the next question, and ends with the next
 * answer. A time in which no question was open counts only once several questions in a row have failed.
 *
 * So a target that answers each question within its limits is never silent for longer than these limits, and the
 * time-outs of one question after the other add up. Example: questions at 0, 20 and 40 s each time out after 10 s. At
 * 50 s the silence has lasted 30 s, without the two pauses of 10 s; the pause before a fifth failure would count.
 */
export class Silence {
  #open = 0
  #failures = 0
  #since: number | undefined
  /** When the last open question failed. */
  #idleSince = 0
  /** Time since `#since` that is not held against the target. */
  #excusedMs = 0
  /** Time without an open question since the last failure: whether it is excused, the next outcome says. */
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

  /** A question failed: no connection, no answer, or only a part of one. */
  failed(at: number): void {
    this.#open -= 1
    this.#failures += 1
    if (this.#failures < fewestFailures) this.#excusedMs += this.#idleMs
    this.#idleMs = 0
    if (this.#open === 0) this.#idleSince = at
  }

  /** This process stood still for so long, and read no answers. */
  deaf(ms: number): void {
    if (this.#open > 0) this.#excusedMs += ms
  }

  /** How long the target has been silent. */
  lastedMs(now: number): number {
    if (this.#since === undefined) return 0
    const until = this.#open > 0 ? now : this.#idleSince
    return until - this.#since - this.#excusedMs - this.#idleMs
  }
}
