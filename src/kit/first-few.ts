/** So many of a list are told, of which the rest says nothing new. */
const told = 6

/** The first six of a list, and how many there are in all where that is more: `1 s, 2 s, … (9 in all)`. */
export const firstFew = (words: readonly string[]): string =>
  words.length <= told ? words.join(', ') : `${words.slice(0, told).join(', ')}, … (${words.length} in all)`
