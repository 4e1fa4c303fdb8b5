// What an answer asks for, as the clients of this bank read it, and a client that keeps to it.
import { giveUp, plainFetch, refused, secondsOf, sleep, work } from './work.mjs'

/** A reader of waits: seconds, or a date as `dateMs` reads it, as milliseconds from now; undefined for anything else. */
export const dateAsReadBy = (dateMs) => (response) => {
  const seconds = secondsOf(response)
  const text = response.headers.get('retry-after') ?? ''
  const date = /[a-z]{3}/i.test(text) ? dateMs(text) : Number.NaN
  const ms = seconds === undefined ? date - Date.now() : seconds * 1000
  return ms > 0 ? ms : undefined
}

/** Seconds, or a date in any of its three forms, as milliseconds from now; undefined for anything else. */
export const namedMs = dateAsReadBy((text) => Date.parse(text.endsWith('GMT') ? text : `${text} GMT`))

/** A wait of its own that doubles, with jitter. */
export const doubling = (attempt) => 400 * 2 ** attempt * (1 + Math.random() / 2)

/** Longer than this it does not wait. */
export const tooLongMs = 600_000

/**
 * Does the work with one worker, which waits for as long as `read` makes of a refusal, or for a wait of its own where it
 * makes nothing of it. It gives up where the sixth try is refused, or the wait would be too long.
 *
 * @param waitMs how long it really waits, given what was read.
 */
export const waitAsNamed = (read, waitMs = (named) => named + 5 + Math.random() * 200) =>
  work(
    async (call) => {
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const response = await plainFetch(call)
        await response.arrayBuffer()
        if (!refused(response)) return
        if (attempt === 5) giveUp()
        const named = read(response)
        if (named > tooLongMs) giveUp()
        await sleep(named === undefined ? doubling(attempt) : waitMs(named))
      }
    },
    { workers: 1, endsWhenGivenUp: true },
  )
