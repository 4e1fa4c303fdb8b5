import type { Clock } from '../../src/kit/clock.js'

/** Knows how far back the input that is being handled may lie: until when the process had looked, and found nothing. */
export interface InputWatch {
  /** Whatever is handed out now, a request or a connection, had not come by this moment. Of the clock's monotonic kind. */
  lookedAtMs(): number
  /** Looks at once, so that what comes after this is told from what was there. */
  look(): void
  stop(): void
}

/** How often the process looks when it has nothing to do. */
const everyMs = 5

/**
 * Watches the input of this process. An event of the poll phase that follows a moment was handed out in that phase or had
 * not come by then: so the moment counts once that phase is over. A process that stalls looks late, and says so.
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
