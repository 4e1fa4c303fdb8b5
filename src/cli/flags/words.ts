import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../../kit/usage-error.js'
import { nearest, suggestion } from '../../kit/words.js'
import { type Flag, type Flags, nameOf, type Surface } from './command.js'

/** So much of a word is repeated, in characters: keys that were typed are taken out of all that is printed. */
const mostShown = 60
const cut = (word: string): string => (word.length > mostShown ? `${word.slice(0, mostShown)}…` : word)

const sayWhat = 'a command is missing: quotaspec run --target URL is the usual one; quotaspec --help lists the others'

/** A file of YAML, or a name that a scenario has. */
const isScenario = (word: string, scenarios: readonly string[]): boolean =>
  scenarios.includes(word) || (/\.ya?ml$/i.test(word) && existsSync(word))

const refusal = (word: string, names: readonly string[], scenarios: readonly string[]): string => {
  const shown = cut(word)
  if (isScenario(word, scenarios)) return `${shown} is a scenario: quotaspec run ${shown} --target URL`
  if (/^https?:\/\//i.test(word)) return `an address stands behind --target: quotaspec run --target ${shown}`
  const meant = nearest(word, [...names, ...scenarios])
  if (meant === undefined) return `unknown command ${shown}; quotaspec --help lists all commands`
  return `unknown command ${shown}; did you mean ${names.includes(meant) ? meant : `quotaspec run ${meant}`}?`
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

interface TypedFlag {
  /** As it is declared, without dashes: `time-scale`, also where `--timeScale` or `--no-strict` was typed. */
  readonly name: string
  /** As it was typed, without a value: `--timeScale`. */
  readonly typed: string
  /** Undefined where nothing stands behind it that could be its value. */
  value: string | undefined
}

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

/** The flags of a command line, and the words that are neither a flag nor its value. */
const tokensOf = (words: readonly string[], flags: Flags): { typed: TypedFlag[]; bare: string[] } => {
  const kinds = Object.entries(flags).flatMap(([name, { type }]) => {
    const kind = { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), multiple: true }
    return [name, camel(name)].map((each) => [each, kind] as const)
  })
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(kinds),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const typed: TypedFlag[] = []
  const bare: string[] = []
  let switchAt = -1
  for (const token of tokens) {
    const last = typed.at(-1)
    if (token.kind === 'positional') {
      // `--strict true` is one flag.
      if (last && token.index === switchAt + 1 && /^(true|false)$/.test(token.value)) last.value = token.value
      else bare.push(token.value)
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

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const sampleOf = (name: string, { sample, choices, value = 'VALUE' }: Flag): string =>
  `--${name} ${sample ?? choices?.[0] ?? value}`

const checkKnown = ({ name, typed }: TypedFlag, flags: Flags, command: string): void => {
  if (flags[name] !== undefined) return
  const meant = nearest(name, [...Object.keys(flags), 'help'])
  const hint = meant === undefined ? `quotaspec ${command} --help lists its options.` : `Did you mean --${meant}?`
  throw new UsageError(`Unknown option ${typed} for quotaspec ${command}. ${hint}`)
}

const isWithin = (value: number, { least, most = Infinity, isWhole }: NonNullable<Flag['within']>): boolean =>
  value >= least && value <= most && (!isWhole || Number.isSafeInteger(value))

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
  const { choices, within } = flag
  if (within !== undefined && !isWithin(Number(value), within))
    throw new UsageError(`--${name} ${value}: ${within.words}`)
  if (choices === undefined || choices.includes(value)) return
  throw new UsageError(`--${name} ${value}: ${suggestion(value, choices)}`)
}

const checkOnce = (typed: readonly TypedFlag[], flags: Flags): void => {
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

/** Throws a {@link UsageError} where a word is missing that the command needs, is none of its choices, or has no place. */
const checkBare = (given: readonly string[], surface: Surface): void => {
  const places = surface.command.split(' ').slice(1)
  const needed = places.filter((place) => place.startsWith('<')).length
  const how = `type quotaspec ${surface.command}, as in ${surface.examples[0]?.[0]}`
  if (given.length < needed) throw new UsageError(`quotaspec ${nameOf(surface)} needs another argument: ${how}`)
  const takesMany = places.some((place) => place.includes('..'))
  const extra = takesMany ? undefined : given[places.length]
  if (extra !== undefined) throw new UsageError(`quotaspec ${nameOf(surface)} does not take ${cut(extra)}: ${how}`)
  for (const [at, word] of given.entries()) {
    const { choices = [word] } = Object.values(surface.positionals ?? {})[at] ?? {}
    if (!choices.includes(word)) throw new UsageError(`${cut(word)}: ${suggestion(word, choices)}`)
  }
}

const meaningOf = ({ name, typed, value }: TypedFlag, { type, coerce }: Flag): unknown => {
  const isOff = typed === `--no-${name}`
  if (type === 'boolean' || isOff) return (value !== 'false') !== isOff
  if (type === 'number') return Number(value)
  return coerce && value !== undefined ? coerce(value) : value
}

/** What flags come to, by their names; one that was not typed is as usual. */
const flagsMeant = (typed: readonly TypedFlag[], flags: Flags) =>
  Object.entries(flags).map(([name, flag]) => {
    const values = typed.filter((each) => each.name === name).map((each) => meaningOf(each, flag))
    return [name, values.length === 0 ? flag.default : flag.array ? values : values.at(-1)]
  })

/** What the words without a flag come to, by the names of their places, of which the last may take many. */
const placesMeant = (bare: readonly string[], { positionals = {} }: Surface) =>
  Object.entries(positionals).map(([name, { array, default: usual }], at) => [
    name,
    array ? bare.slice(at) : (bare[at] ?? usual),
  ])

/**
 * What the words behind a command come to, by the names of flags and places. Throws a {@link UsageError} where a flag is
 * unknown to the command, lacks its value, has one that it can't have, or came twice though it takes one, where flags or
 * words are missing or too many, or where the command itself sees that it will not do. No value is repeated that may be a
 * secret: those of flags that take any text. It loads next to nothing, so that refusals come at once.
 */
export const readWords = (words: readonly string[], surface: Surface): object => {
  const { options = {} } = surface
  const { typed, bare } = tokensOf(words, options)
  for (const each of typed) {
    checkKnown(each, options, nameOf(surface))
    checkValue(each, options[each.name])
  }
  checkOnce(typed, options)
  checkBare(bare, surface)
  checkDemanded(typed, options)
  const args = Object.fromEntries([...flagsMeant(typed, options), ...placesMeant(bare, surface)])
  surface.refuse?.(args)
  return args
}
