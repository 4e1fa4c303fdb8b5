import type { HeaderLine } from './exchange.js'

/** The headers that a check or the run itself reads by name. */
const readByName =
  /^(x-ratelimit-(limit|remaining|reset)|retry-after|date|content-type|content-encoding|www-authenticate|cache-control|deprecation|sunset)$/i
/** How often a header is kept that comes several times: twice would show that it does. */
const mostRepeated = 3
/** Longer than any honest value of these headers. */
const mostCharacters = 500
/** The memory that a header takes besides its text, in bytes: an array and two strings. */
const lineCostBytes = 120

/** The memory that a header takes, in bytes, roughly. */
export const headerCost = ([name, value]: HeaderLine): number => name.length + value.length + lineCostBytes

/** The beginning of a text, copied: a slice would keep all of it in memory. */
export const beginning = (text: string, most = mostCharacters): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()

/** The headers that checks read by name, each at most a few times and at most as long as any honest one. */
export const cutHeaders = (headers: readonly HeaderLine[]): HeaderLine[] => {
  const times = new Map<string, number>()
  return headers.flatMap(([name, value]): HeaderLine[] => {
    const lower = name.toLowerCase()
    const nth = (times.get(lower) ?? 0) + 1
    if (!readByName.test(name) || nth > mostRepeated) return []
    times.set(lower, nth)
    return [[name, beginning(value)]]
  })
}
