import type { HeaderLine } from './exchange.js'

/** The headers that a check or the run itself reads by name. */
const readByName =
  /^(x-ratelimit-(limit|remaining|reset)|retry-after|date|content-type|content-encoding|www-authenticate|cache-control|deprecation|sunset)$/i
const mostRepeated = 3
const mostCharacters = 500
/** What a line takes besides its text. */
const lineCost = 120

/** What a header takes up in memory, in bytes or nearly. */
export const headerCost = ([name, value]: HeaderLine): number => name.length + value.length + lineCost

/** The beginning of a text, as a text of its own: a slice would hold on to the whole. */
export const beginning = (text: string, most = mostCharacters): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()

/** Of the headers of an answer those that are read by name, each a few times and as long as any honest one. */
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
