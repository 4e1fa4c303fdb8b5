import type { Clock } from '../../src/kit/clock.js'

/** Knows since when input may have waited to be handled: the last moment at which the process had looked for input. */
export interface InputWatch {
  /** A moment, on the monotonic clock, by which the request or connection that is handled now had not come yet. */
  lookedAtMs(): number
  /** Looks at once, so that later input is known to be later. */
  look(): void
  stop(): void
}

/** How often the process looks when it has nothing to do. */
const everyMs = 5

/**
 * Watches the input of this process. All input that had come by a moment is handled in the event loop's next poll
 * phase; so once that phase is over, whatever is handled came after the moment. A process that stalls looks late: then
 * the moment lies further back.
 */
export const watchInput = (clock: Clock): InputWatch => {
  let lookedAtMs = clock.monotonicMs()
  const look = () => {
    setImmediate(() => {
      const beforePollMs = clock.monotonicMs()
      setImmediate(() => {
        lookedAtMs = beforePollMs
      })
    })
  }
  const timer = setInterval(look, everyMs)
  return { lookedAtMs: () => lookedAtMs, look, stop: () => clearInterval(timer) }
}
