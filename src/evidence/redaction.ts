/** A text with its escapes undone, in lower case, and the original position of each character. */
interface Unescaped {
  readonly text: string
  /** For each character, and for the end, its original position; null if nothing moved. */
  readonly places: Uint32Array | null
}

/**
 * Every way in which text formats escape a character, here an `a`: `%61` and `%2561`, `\u0061` and `\x61` with any
 * number of backslashes, `&#97;` and `&#x61;`. Other backslashes, and the NULs of UTF-16, are dropped.
 */
const escapes =
  /%(?:25)*(?<percent>[\da-f]{2})|\\+(?:u00|x)(?<hex>[\da-f]{2})|&(?:amp;)?(?:#0*(?<decimal>\d{1,3})|#x0*(?<hexEntity>[\da-f]{1,2})|(?<name>amp|lt|gt|quot|apos));|\\+/iy

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const escapeStarts = new Set(Array.from('%\\&', (each) => each.charCodeAt(0)))

const escapeAt = (text: string, at: number, code: number): RegExpExecArray | null => {
  if (!escapeStarts.has(code)) return null
  escapes.lastIndex = at
  return escapes.exec(text)
}

const characterOf = ({ percent, hex, decimal, hexEntity, name }: Partial<Record<string, string>>): string => {
  const sixteen = percent ?? hex ?? hexEntity
  if (sixteen !== undefined) return String.fromCharCode(Number.parseInt(sixteen, 16))
  if (decimal !== undefined) return String.fromCharCode(Number(decimal))
  return name === undefined ? '' : entities[name.toLowerCase()]
}

/** The text in lower case, every character in its position: the few that would become two stay as they are. */
const lowerCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** How many characters become text in one call, which takes no more arguments than the stack has room for. */
const charactersAtOnce = 8192

const textOf = (codes: Uint16Array): string => {
  let text = ''
  for (let from = 0; from < codes.length; from += charactersAtOnce)
    text += String.fromCharCode(...codes.subarray(from, from + charactersAtOnce))
  return text
}

/** Undoes every escape, so that no escape hides a secret. By character: a target may send megabytes of escapes. */
export const unescaped = (original: string): Unescaped => {
  if (!/[%\\&\0]/.test(original)) return { text: lowerCase(original), places: null }
  const codes = new Uint16Array(original.length)
  const places = new Uint32Array(original.length + 1)
  let [kept, at] = [0, 0]
  const keep = (code: number) => {
    codes[kept] = code
    places[kept] = at
    kept += 1
  }
  while (at < original.length) {
    const code = original.charCodeAt(at)
    const match = code === 0 ? null : escapeAt(original, at, code)
    if (match) {
      const character = characterOf(match.groups ?? {})
      if (character !== '' && character !== '\\') keep(character.charCodeAt(0))
      at += match[0].length
    } else {
      if (code !== 0) keep(code)
      at += 1
    }
  }
  places[kept] = original.length
  return { text: lowerCase(textOf(codes.subarray(0, kept))), places: places.subarray(0, kept + 1) }
}

/** In characters. A shorter secret occurs in too many ordinary texts to be hidden without spoiling the evidence. */
export const shortestSecret = 4

export const canHide = (secret: string, least = shortestSecret): boolean => unescaped(secret).text.length >= least

/** How base64 spells the inside of `secret`, whatever surrounds it: one spelling for each of three alignments. */
const base64Cores = (secret: string): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.from(secret)
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const first = Math.ceil((offset * 8) / 6)
    const last = Math.floor((padded.length * 8) / 6)
    const core = padded.toString('base64').slice(first, last)
    const urlCore = padded.toString('base64url').slice(first, last)
    return core.length >= shortestSecret ? [core, urlCore] : []
  })

/**
 * The secret once escapes are undone. If it contains an escape itself, it may come back with an escaped backslash, which is
 * no escape then: `a\x41bc` as `a%5Cx41bc`.
 */
const withoutEscapes = (secret: string): string[] => {
  const spelt = secret.includes('\\') ? unescaped(secret.replaceAll('\\', '')).text : ''
  return [unescaped(secret).text, ...(spelt.length >= shortestSecret ? [spelt] : [])]
}

/** What to look for in a text whose escapes are undone: the secret itself, in hex, and in base64. */
const soughtFor = (secret: string): string[] =>
  [...withoutEscapes(secret), Buffer.from(secret).toString('hex'), ...base64Cores(secret)].map((each) =>
    each.toLowerCase(),
  )

interface Find {
  readonly from: number
  readonly to: number
  readonly label: string
}

type Sought = readonly (readonly [text: string, label: string])[]

/**
 * All occurrences of the sought texts, none overlapping; if two would, the one earlier in the list wins. The time grows with
 * the length of the text, not with the number of occurrences.
 */
const findAll = (text: string, sought: Sought): Find[] => {
  const finds: Find[] = []
  let taken: Uint8Array | undefined
  for (const [each, label] of sought) {
    let from = text.indexOf(each)
    while (from >= 0) {
      taken ??= new Uint8Array(text.length)
      const to = from + each.length
      const isFree = taken.subarray(from, to).every((mark) => mark === 0)
      if (isFree) {
        taken.fill(1, from, to)
        finds.push({ from, to, label })
      }
      from = text.indexOf(each, isFree ? to : from + 1)
    }
  }
  return finds.sort((a, b) => a.from - b.from)
}

/** An incomplete escape at the end of a text: `%4`, `\u00`, `&am`. */
const halfEscape = /(?:%(?:25)*[\da-f]?|\\+(?:u0{0,2}[\da-f]?|x[\da-f]?)?|&(?:amp;?)?(?:#x?[\da-f]{0,3}|[a-z]{0,4}))$/i
/** In characters: longer than any of them. */
const longestHalfEscape = 16

/** The longest end of a cut text that may begin a sought one; undefined if shorter than any secret. */
const begunAtEnd = (whole: string, sought: Sought): Find | undefined => {
  const text = whole.slice(0, whole.length - (halfEscape.exec(whole.slice(-longestHalfEscape))?.[0].length ?? 0))
  let longest: Find | undefined
  for (const [each, label] of sought) {
    for (let length = Math.min(each.length - 1, text.length); length >= shortestSecret; length -= 1) {
      if (longest && text.length - longest.from >= length) break
      if (!text.endsWith(each.slice(0, length))) continue
      longest = { from: text.length - length, to: whole.length, label }
      break
    }
  }
  return longest
}

/** The finds plus the one at the cut end, without its overlap with the last of them. */
const withEnd = (finds: readonly Find[], end: Find | undefined): readonly Find[] => {
  const last = finds.at(-1)
  if (!end || (last && last.to === end.to)) return finds
  return [...finds, last && last.to > end.from ? { ...end, from: last.to } : end]
}

const findIn = (original: string, sought: Sought, isCut: boolean): readonly Find[] => {
  const { text, places } = unescaped(original)
  const found = findAll(text, sought)
  const finds = isCut ? withEnd(found, begunAtEnd(text, sought)) : found
  return places ? finds.map(({ from, to, label }) => ({ from: places[from], to: places[to], label })) : finds
}

/** The finds, in order, that do not lie within plain text. One pass over both. */
const outside = (original: string, finds: readonly Find[], plain: readonly RegExp[]): readonly Find[] => {
  if (finds.length === 0 || plain.length === 0) return finds
  const matches = plain.flatMap((each) => [...original.matchAll(each)]).sort((a, b) => a.index - b.index)
  let [next, reach] = [0, 0]
  return finds.filter(({ from, to }) => {
    for (; next < matches.length && matches[next].index <= from; next += 1)
      reach = Math.max(reach, matches[next].index + matches[next][0].length)
    return to > reach
  })
}

/** @param exact the label of each secret: of two that differ only in letter case, the one present is named. */
const replaced = (original: string, finds: readonly Find[], exact: ReadonlyMap<string, string>): string => {
  let [clean, at] = ['', 0]
  for (const { from, to, label } of finds) {
    clean += original.slice(at, from) + (exact.get(original.slice(from, to)) ?? label)
    at = to
  }
  return clean + original.slice(at)
}

/** Makes a redactor. `plain` matches the interface's own words in a body; each has the flag `g`. */
export const createRedactor = (plain: readonly RegExp[] = []) => {
  const labels = new Map<string, string>()
  let sought: Sought | undefined
  const clean = (original: string, isCut: boolean, spared: readonly RegExp[]): string => {
    if (labels.size === 0) return original
    // The longest first: a key with a suffix contains the key.
    sought ??= [...labels]
      .sort(([a], [b]) => b.length - a.length)
      .flatMap(([secret, label]) => soughtFor(secret).map((each) => [each, label] as const))
    return replaced(original, outside(original, findIn(original, sought, isCut), spared), labels)
  }
  return {
    /** From now on `secret` is written as `label`. */
    hide(secret: string, label: string) {
      if (!canHide(secret) || labels.get(secret) === label) return
      labels.set(secret, label)
      sought = undefined
    },
    /**
     * The text with every hidden secret replaced by its label. If the text `isCut`, so that more was to come, a possible
     * beginning of a secret at its end is replaced too.
     */
    redact: (text: string, isCut = false) => clean(text, isCut, []),
    /** The same for a body, but keeps the interface's own words: with the key `status`, `{"status":` stays. */
    body: (text: string, isCut = false) => clean(text, isCut, plain),
  }
}

/**
 * Removes secrets from outside input before it is recorded, in every spelling in which a target could return them: the key
 * `s3cret` also as `s3%63ret`, in hex or in base64. It never gets the program's own words.
 */
export type Redactor = ReturnType<typeof createRedactor>
