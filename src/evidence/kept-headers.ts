import type { HeaderLine } from './exchange.js'
import type { Redactor } from './redaction.js'

const number = /^-?\d{1,19}(?:\.\d{1,9})?$/
/** IMF-fixdate (RFC 9110 §5.6.7). */
const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const mediaType = /^(?:application\/(?:problem\+)?json|text\/(?:html|plain))(?: *; *charset="?utf-8"?)?$/i
const directive = String.raw`(?:no-store|no-cache|no-transform|private|public|must-revalidate|(?:s-)?max-?age=\d{1,10})`
const never = /(?!)/

/**
 * Headers of HTTP, of rate limits and of the interface, whose names are no secret, each with a form of value that cannot hold
 * a secret. `Content-Length: 1234` stays as it is, even if a key is 1234. `never`: any value may hold one.
 */
const plainForms: Readonly<Record<string, RegExp>> = {
  age: number,
  'cache-control': new RegExp(`^${directive}(?: *, *${directive})*$`, 'i'),
  connection: /^(?:keep-alive|close)$/i,
  'content-encoding': /^(?:gzip|br|deflate|identity)$/i,
  'content-length': number,
  'content-type': mediaType,
  date,
  deprecation: /^(?:true|@\d{1,12})$/,
  expires: date,
  'keep-alive': /^timeout=\d{1,6}(?:, *max=\d{1,6})?$/i,
  'last-modified': date,
  'retry-after': new RegExp(`${number.source}|${date.source}`),
  sunset: date,
  'transfer-encoding': /^chunked$/i,
  'x-ratelimit-limit': number,
  'x-ratelimit-remaining': number,
  'x-ratelimit-reset': number,
  accept: never,
  allow: never,
  authorization: never,
  cookie: never,
  etag: never,
  link: never,
  location: never,
  ratelimit: never,
  'ratelimit-policy': never,
  server: never,
  'set-cookie': never,
  vary: never,
  'www-authenticate': never,
  'x-api-key': never,
}

/** The scheme before a credential or, possibly alone, in a challenge. */
const schemes: Readonly<Record<string, RegExp>> = {
  authorization: /^(?:Bearer|Basic)(?=\s)/i,
  'www-authenticate': /^(?:Bearer|Basic)(?=\s|$)/i,
}

/** A header line with a redactor's secrets hidden, except in the names and plain values of known headers, which hold none. */
export const redactHeader = ([name, value]: HeaderLine, { redact }: Pick<Redactor, 'redact'>): HeaderLine => {
  const known = name.toLowerCase()
  if (!Object.hasOwn(plainForms, known)) return [redact(name), redact(value)]
  if (plainForms[known].test(value)) return [name, value]
  const before = schemes[known]?.exec(value)?.[0] ?? ''
  return [name, before + redact(value.slice(before.length))]
}

/** The headers that a check or the run reads by name, whatever the contract; `headers-read.test.ts` enforces it. */
const readByName =
  /^(x-ratelimit-(limit|remaining|reset)|retry-after|date|content-type|content-encoding|content-length|www-authenticate|cache-control|age|expires|deprecation|sunset)$/i
/** How many copies of a repeated header are kept: two would show that it repeats. */
const mostRepeated = 3
/** Longer than any honest value of these headers. */
const mostCharacters = 500
/** The memory that a header takes besides its text, in bytes: an array and two strings. */
const lineCostBytes = 120

/** The approximate memory that a header takes, in bytes. */
export const headerCost = ([name, value]: HeaderLine): number => name.length + value.length + lineCostBytes

/** The beginning of a text, copied: a slice would keep the whole text in memory. */
export const beginning = (text: string, most = mostCharacters): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()

const none: ReadonlySet<string> = new Set()

/**
 * The headers that checks read by name, each at most a few times and at most as long as any honest one.
 *
 * @param named those that the run's contract names, in lower case.
 */
export const cutHeaders = (headers: readonly HeaderLine[], named = none): HeaderLine[] => {
  const times = new Map<string, number>()
  return headers.flatMap(([name, value]): HeaderLine[] => {
    const lower = name.toLowerCase()
    const nth = (times.get(lower) ?? 0) + 1
    if (!(readByName.test(name) || named.has(lower)) || nth > mostRepeated) return []
    times.set(lower, nth)
    return [[name, beginning(value)]]
  })
}
