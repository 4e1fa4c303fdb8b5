// What an answer asks for, as the clients of this bank read it.
import { secondsOf } from './work.mjs'

/** Seconds, or a date in any of its three forms, as milliseconds from now; undefined for anything else. */
export const namedMs = (response) => {
  const seconds = secondsOf(response)
  if (seconds !== undefined) return seconds > 0 ? seconds * 1000 : undefined
  const text = response.headers.get('retry-after') ?? ''
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return date > Date.now() ? date - Date.now() : undefined
}

/** A wait of its own that doubles, with jitter. */
export const doubling = (attempt) => 400 * 2 ** attempt * (1 + Math.random() / 2)

/** Longer than this it does not wait. */
export const tooLongMs = 600_000
