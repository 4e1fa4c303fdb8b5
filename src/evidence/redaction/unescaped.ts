/** A text with its escapes undone and in lower case, and where each of its characters stood in the original. */
export interface Unescaped {
  readonly text: string
  /** For each character, and for the end, its place in the original; null where every place is the same. */
  readonly places: Uint32Array | null
}

/**
 * Every way in which text formats escape a character, here an `a`: `%61` and `%2561`, `\u0061` and `\x61` with any
 * number of backslashes, `&#97;` and `&#x61;`. Other backslashes, and the NULs of UTF-16, are dropped.
 */
const escapes =
  /%(?:25)*(?<percent>[\da-f]{2})|\\+(?:u00|x)(?<hex>[\da-f]{2})|&(?:amp;)?(?:#0*(?<decimal>\d{1,3})|#x0*(?<hexEntity>[\da-f]{1,2})|(?<name>amp|lt|gt|quot|apos));|\\+|\0/gi

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const characterOf = ({
  percent,
  hex,
  decimal,
  hexEntity,
  name,
}: Readonly<Record<string, string | undefined>>): string => {
  const sixteen = percent ?? hex ?? hexEntity
  if (sixteen !== undefined) return String.fromCharCode(Number.parseInt(sixteen, 16))
  if (decimal !== undefined) return String.fromCharCode(Number(decimal))
  return name === undefined ? '' : entities[name.toLowerCase()]
}

/** The text in lower case with every character in its place: those few that would become two stay as they are. */
const lowerCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Undoes every escape in a text, so that a secret is found however it was escaped. */
export const unescaped = (original: string): Unescaped => {
  if (!/[%\\&\0]/.test(original)) return { text: lowerCase(original), places: null }
  const places = new Uint32Array(original.length + 1)
  let [text, from] = ['', 0]
  const keep = (part: string, start: number, step: 0 | 1) => {
    for (let i = 0; i < part.length; i += 1) places[text.length + i] = start + i * step
    text += part
  }
  for (const match of original.matchAll(escapes)) {
    keep(original.slice(from, match.index), from, 1)
    keep(characterOf(match.groups ?? {}).replace('\\', ''), match.index, 0)
    from = match.index + match[0].length
  }
  keep(original.slice(from), from, 1)
  places[text.length] = original.length
  return { text: lowerCase(text), places }
}
