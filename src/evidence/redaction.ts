/** Takes secrets out of text before it is recorded, in every spelling in which a target could send them back. */
export interface Redactor {
  /** From now on `secret` is written as `label`. */
  hide(secret: string, label: string): void
  /** The text with every hidden secret replaced by its label. */
  redact(text: string): string
}

/** A shorter secret can't be told from ordinary text, so it could not be hidden without spoiling the evidence. */
export const shortestSecret = 4

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

const percentEncodedFully = (secret: string): string =>
  [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  percentEncodedFully(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('hex'),
  ...base64Cores(secret),
]

const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export const createRedactor = (): Redactor => {
  const labels = new Map<string, string>()
  let pattern: RegExp | undefined
  return {
    hide(secret, label) {
      if (secret.length < shortestSecret) return
      for (const spelling of spellings(secret)) labels.set(spelling.toLowerCase(), label)
      pattern = undefined
    },
    redact(text) {
      if (labels.size === 0) return text
      // The longest spelling first: a key with more behind it contains the key.
      pattern ??= new RegExp(
        [...labels.keys()]
          .sort((a, b) => b.length - a.length)
          .map(escapeForRegExp)
          .join('|'),
        'gi',
      )
      return text.replace(pattern, (found) => labels.get(found.toLowerCase()) ?? '‹key›')
    },
  }
}
