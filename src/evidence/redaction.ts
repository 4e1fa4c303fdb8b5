import { unescaped } from './unescaped.js'

/** Takes secrets out of text before it is recorded, in every spelling in which a target could send them back. */
export interface Redactor {
  /** From now on `secret` is written as `label`. */
  hide(secret: string, label: string): void
  /** The text with every hidden secret replaced by its label. */
  redact(text: string): string
}

/** A shorter secret can't be told from ordinary text, so it could not be hidden without spoiling the evidence. */
export const shortestSecret = 4

/** Whether a secret is long enough to be hidden, however it is spelt. */
export const canHide = (secret: string): boolean => unescaped(secret).text.length >= shortestSecret

/** The characters of `secret` that base64 spells the same wherever it stands: one spelling for each alignment. */
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

/** What to look for in text whose escapes are undone: the secret itself, or an encoding of the whole of it. */
const soughtFor = (secret: string): string[] =>
  [unescaped(secret).text, Buffer.from(secret).toString('hex'), ...base64Cores(secret)].map((each) =>
    each.toLowerCase(),
  )

interface Find {
  readonly from: number
  readonly to: number
  readonly label: string
}

/** Every place of every sought text, those first in the list before those after it; none overlaps another. */
const findAll = (text: string, sought: readonly (readonly [string, string])[]): Find[] => {
  const finds: Find[] = []
  for (const [each, label] of sought) {
    for (let from = text.indexOf(each); from >= 0; from = text.indexOf(each, from + 1)) {
      const to = from + each.length
      if (!finds.some((find) => from < find.to && find.from < to)) finds.push({ from, to, label })
    }
  }
  return finds.sort((a, b) => a.from - b.from)
}

export const createRedactor = (): Redactor => {
  const labels = new Map<string, string>()
  let sought: (readonly [string, string])[] | undefined
  return {
    hide(secret, label) {
      if (!canHide(secret) || labels.get(secret) === label) return
      labels.set(secret, label)
      sought = undefined
    },
    redact(original) {
      if (labels.size === 0) return original
      // The longest first: a key with more behind it contains the key.
      sought ??= [...labels]
        .sort(([a], [b]) => b.length - a.length)
        .flatMap(([secret, label]) => soughtFor(secret).map((each) => [each, label] as const))
      const { text, places } = unescaped(original)
      const finds = findAll(text, sought)
      if (finds.length === 0) return original
      let [clean, at] = ['', 0]
      for (const { from, to, label } of finds) {
        clean += original.slice(at, places ? places[from] : from) + label
        at = places ? places[to] : to
      }
      return clean + original.slice(at)
    },
  }
}
