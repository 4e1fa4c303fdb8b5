import { setTimeout as delay } from 'node:timers/promises'

/** A source of time. Whatever needs the time is given a clock, so that tests can stop it. */
export interface Clock {
  /** Milliseconds, with fractions, that never step back. Only their differences have a meaning. */
  monotonicMs(): number
  /** Milliseconds since the Unix epoch. May step. */
  wallMs(): number
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The longest delay of a Node timer; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1

/** How often a process checks whether it stands still, in milliseconds: a shorter standstill may go unseen. */
export const leastStillMs = 20

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  async sleep(ms, signal) {
    const until = performance.now() + ms
    for (let left = ms; left > 0; left = until - performance.now()) {
      // The timer rejects with its own error; the signal has the reason.
      await delay(Math.min(left, longestTimerMs), undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
    signal?.throwIfAborted()
  },
}
