/** What has to be known of a flag to read it. */
interface Kind {
  readonly type?: string
  readonly mayBeOff?: boolean
}

/** A flag as it stands on the command line. */
export interface TypedFlag {
  /** As the surface has it, without dashes: `time-scale`, also where `--timeScale` or `--no-strict` was typed. */
  readonly name: string
  /** As it was typed, without a value: `--timeScale`. */
  readonly typed: string
  /** Undefined where nothing stands behind it that could be its value. */
  readonly value: string | undefined
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A negative number is a value, whatever else begins with a dash is the next flag. */
const isValue = (word: string | undefined): boolean =>
  word !== undefined && (!word.startsWith('-') || word === '-' || /^-[\d.]/.test(word))

const nameOf = (typed: string, flags: Readonly<Record<string, Kind>>): string => {
  const name = kebab(typed.replace(/^--?/, ''))
  const positive = name.replace(/^no-/, '')
  const { type, mayBeOff = type === 'boolean' } = flags[positive] ?? {}
  return flags[name] === undefined && mayBeOff ? positive : name
}

const upToDashes = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}

/** The words that are neither a flag nor its value, up to a bare `--`. */
export const bareWords = (words: readonly string[], flags: Readonly<Record<string, Kind>>): string[] => {
  const ours = upToDashes(words)
  return ours.filter((word, at) => {
    const before = ours[at - 1]
    if (!isValue(word)) return false
    if (before === undefined || isValue(before) || before.includes('=')) return true
    const takesNone = flags[nameOf(before, flags)]?.type === 'boolean' || before === `--no-${nameOf(before, flags)}`
    return takesNone && word !== 'true' && word !== 'false'
  })
}

/** The flags among the words of a command line, up to a bare `--`, which ends them. */
export const typedFlags = (words: readonly string[], flags: Readonly<Record<string, Kind>>): TypedFlag[] => {
  const ours = upToDashes(words)
  return ours.flatMap((word, at): TypedFlag[] => {
    if (isValue(word)) return []
    const [, typed = word, value] = /^(--?[^=]+)=(.*)$/s.exec(word) ?? []
    const name = nameOf(typed, flags)
    const isWhole = flags[name]?.type === 'boolean' || typed === `--no-${name}`
    if (value !== undefined || isWhole) return [{ name, typed, value }]
    const next = ours[at + 1]
    return [{ name, typed, value: isValue(next) ? next : undefined }]
  })
}
