/** The first letter, outside escapes, of the last segment that has one: gateways route by the first segment. */
const letter = /(?<!%[\da-f]?)[a-z](?=[^/]*(?:\/[^a-z]*)?$)/i
const smallLetter = /(?<!%[\da-fA-F]?)[a-z](?=[^/]*(?:\/[^a-zA-Z]*)?$)/

/** Other ways to write a path, by name, its query unchanged; without those that need a letter or a segment it lacks. */
export const pathSpellings = (asked: string) => {
  const [path] = asked.split('?', 1)
  const query = asked.slice(path.length)
  const spelt = {
    'a trailing slash': path.replace(/(?<=[^/])$/, '/'),
    'a doubled slash': path.replace(/\/(?=[^/]+\/?$)/, '//'),
    'a percent-encoded letter': path.replace(letter, (text) => `%${text.charCodeAt(0).toString(16)}`),
    'a capital letter': path.replace(smallLetter, (each) => each.toUpperCase()),
  }
  const kept = Object.entries(spelt).filter(([, other]) => other !== path)
  return Object.fromEntries(kept.map(([name, other]) => [name, `${other}${query}`])) as Partial<typeof spelt>
}
