import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../../kit/usage-error.js'
import { nearest, suggestion } from '../../kit/words.js'
import { type Flag, nameOf, type Surface, type TypedFlag } from './command.js'

/** So much of a word is repeated, in characters: keys that were typed are taken out of all that is printed. */
const mostShown = 60
const cut = (word: string): string => (word.length > mostShown ? `${word.slice(0, mostShown)}…` : word)

const sayWhat = 'say what to do: quotaspec run --target URL is the usual one; quotaspec --help lists the others'

/** A file of YAML, or a name that a scenario has. */
const isScenario = (word: string, scenarios: readonly string[]): boolean =>
  scenarios.includes(word) || (/\.ya?ml$/i.test(word) && existsSync(word))

/** What is to be said of a first word that is no command. */
const refusal = (word: string, names: readonly string[], scenarios: readonly string[]): string => {
  const shown = cut(word)
  if (isScenario(word, scenarios)) return `${shown} is a scenario: quotaspec run ${shown} --target URL`
  if (/^https?:\/\//i.test(word)) return `an address stands behind --target: quotaspec run --target ${shown}`
  const meant = nearest(word, [...names, ...scenarios])
  if (meant === undefined) return `there is no command ${shown}; quotaspec --help lists all of them`
  return `there is no command ${shown}; did you mean ${names.includes(meant) ? meant : `quotaspec run ${meant}`}?`
}

/**
 * The command that a command line begins with. Throws a {@link UsageError} where its first word is none: a scenario there
 * is taken for what it is.
 *
 * @param scenarios the names of those that are bundled.
 */
export const meantCommand = (
  words: readonly string[],
  surfaces: readonly Surface[],
  scenarios: readonly string[],
): Surface => {
  const [first] = words
  if (first === undefined) throw new UsageError(sayWhat)
  if (first.startsWith('-')) {
    const later = words.find((word) => surfaces.some((each) => nameOf(each) === word))
    throw new UsageError(later === undefined ? sayWhat : `the command comes first: quotaspec ${later} ${first} …`)
  }
  const found = surfaces.find((each) => nameOf(each) === first)
  if (found) return found
  throw new UsageError(refusal(first, surfaces.map(nameOf), scenarios))
}

type Flags = Readonly<Record<string, Flag>>

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The name of a flag as it is declared: of `--timeScale`, and of `--no-strict`. */
const declaredName = (typed: string, flags: Flags): string => {
  const name = kebab(typed)
  const positive = name.replace(/^no-/, '')
  const { type, mayBeOff = type === 'boolean' } = flags[positive] ?? {}
  return flags[name] === undefined && mayBeOff ? positive : name
}

/** A negative number is a value; whatever else begins with a dash is the next flag. */
const isValue = (word: string): boolean => !word.startsWith('-') || word === '-' || /^-[\d.]/.test(word)

/** The flags of a command line, and the words that are neither a flag nor its value, both up to a bare `--`. */
const readWords = (words: readonly string[], flags: Flags): { typed: TypedFlag[]; bare: string[] } => {
  const end = words.indexOf('--')
  const kinds = Object.entries(flags).flatMap(([name, { type }]) => {
    const kind = { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), multiple: true }
    return [name, camel(name)].map((each) => [each, kind] as const)
  })
  const { tokens } = parseArgs({
    args: words.slice(0, end < 0 ? undefined : end),
    options: Object.fromEntries(kinds),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const typed: TypedFlag[] = []
  const bare: string[] = []
  let switchAt = -1
  for (const token of tokens) {
    if (token.kind === 'positional') {
      // `--strict true` is one flag.
      const isOfSwitch = token.index === switchAt + 1 && /^(true|false)$/.test(token.value)
      if (!isOfSwitch) bare.push(token.value)
    } else if (token.kind === 'option') {
      const { rawName, inlineValue } = token
      const name = declaredName(token.name, flags)
      if (flags[name]?.type === 'boolean' && !inlineValue) switchAt = token.index
      const value = token.value !== undefined && (inlineValue || isValue(token.value)) ? token.value : undefined
      typed.push({ name, typed: rawName, value })
    }
  }
  return { typed, bare }
}

/** Flags of every command. */
const ofAll: Readonly<Record<string, Flag>> = { help: { type: 'boolean' } }

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const sampleOf = (name: string, { sample, choices }: Flag): string => `--${name} ${sample ?? choices?.[0] ?? 'VALUE'}`

const checkKnown = ({ name, typed }: TypedFlag, flags: Readonly<Record<string, Flag>>, command: string): void => {
  if (flags[name] !== undefined) return
  const meant = nearest(name, Object.keys(flags))
  const hint = meant === undefined ? `quotaspec ${command} --help lists its options.` : `Did you mean --${meant}?`
  throw new UsageError(`Unknown option ${typed} for quotaspec ${command}. ${hint}`)
}

const checkValue = ({ name, typed, value }: TypedFlag, flag: Flag): void => {
  if (flag.type === 'boolean' || typed === `--no-${name}`) {
    // What is typed may be a secret in the wrong place: it is not repeated.
    if (value !== undefined && value !== 'true' && value !== 'false')
      throw new UsageError(`${typed} takes no value: type ${typed} alone`)
    return
  }
  if (value === undefined) throw new UsageError(`--${name} needs a value, such as ${sampleOf(name, flag)}`)
  if (flag.type === 'number' && !number.test(value))
    throw new UsageError(`--${name} ${value}: not a number; type one, such as ${sampleOf(name, flag)}`)
  const { choices } = flag
  if (choices === undefined || choices.includes(value)) return
  throw new UsageError(`--${name} ${value}: ${suggestion(value, choices.map(String))}`)
}

const checkOnce = (typed: readonly TypedFlag[], flags: Readonly<Record<string, Flag>>): void => {
  for (const { name } of typed) {
    const times = typed.filter((each) => each.name === name).length
    if (times === 1 || flags[name].array === true || flags[name].type === 'boolean') continue
    throw new UsageError(
      `--${name} was given ${times === 2 ? 'twice' : `${times} times`}, and takes one value: give it once`,
    )
  }
}

const checkDemanded = (typed: readonly TypedFlag[], flags: Flags): void => {
  for (const [name, flag] of Object.entries(flags))
    if (flag.demandOption && typed.every((each) => each.name !== name))
      throw new UsageError(`--${name} is missing; type one, such as ${sampleOf(name, flag)}`)
}

/** Throws a {@link UsageError} where a word is missing that the command needs, or it has no place for one. */
const checkBare = (given: readonly string[], surface: Surface): void => {
  const places = surface.command.split(' ').slice(1)
  const needed = places.filter((place) => place.startsWith('<')).length
  const how = `type quotaspec ${surface.command}, as in ${surface.examples[0]?.[0]}`
  if (given.length < needed) throw new UsageError(`quotaspec ${nameOf(surface)} needs more words: ${how}`)
  const takesMany = places.some((place) => place.includes('..'))
  const extra = takesMany ? undefined : given[places.length]
  if (extra !== undefined) throw new UsageError(`quotaspec ${nameOf(surface)} has no place for ${cut(extra)}: ${how}`)
}

/**
 * Throws a {@link UsageError} where a flag is unknown to the command, lacks its value, has one that it can't have, or came
 * twice though it takes one, where flags or words are missing or too many, or where the command itself sees that it will not do.
 * No value is repeated that may be a secret: those of flags that take any text. It loads next to nothing, so that refusals
 * come at once.
 */
export const checkWords = (words: readonly string[], surface: Surface): void => {
  const flags = { ...surface.options, ...ofAll }
  const { typed, bare } = readWords(words, flags)
  for (const each of typed) {
    checkKnown(each, flags, nameOf(surface))
    checkValue(each, flags[each.name])
  }
  checkOnce(typed, flags)
  checkBare(bare, surface)
  checkDemanded(typed, flags)
  surface.refuse?.(typed)
}
