import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../../kit/usage-error.js'
import { nearest, suggestion } from '../../kit/words.js'
import { type Flag, type Flags, nameOf, type Surface } from './command.js'

/** The most characters of a word that are repeated; typed keys are removed from all output. */
const mostShown = 60
const cut = (word: string): string => (word.length > mostShown ? `${word.slice(0, mostShown)}…` : word)

/** What to type instead of words that don't begin with a command. */
const insteadOf = (
  [first = '', ...rest]: readonly string[],
  names: readonly string[],
  scenarios: readonly string[],
) => {
  if (first === '' || first.startsWith('-')) {
    const later = rest.find((word) => names.includes(word))
    return later === undefined
      ? 'a command is missing: quotaspec run --target URL is the usual one; quotaspec --help lists the others'
      : `the command comes first: quotaspec ${later} ${first} …`
  }
  const shown = cut(first)
  if (scenarios.includes(first) || (/\.ya?ml$/i.test(first) && existsSync(first)))
    return `${shown} is a scenario: quotaspec run ${shown} --target URL`
  if (/^https?:\/\//i.test(first)) return `an address comes after --target: quotaspec run --target ${shown}`
  const meant = nearest(first, [...names, ...scenarios])
  if (meant === undefined) return `unknown command ${shown}; quotaspec --help lists all commands`
  return `unknown command ${shown}; did you mean ${names.includes(meant) ? meant : `quotaspec run ${meant}`}?`
}

/** The command that a command line begins with. A {@link UsageError} says so if its first word is a scenario. */
export const meantCommand = (
  words: readonly string[],
  surfaces: readonly Surface[],
  scenarios: readonly string[],
): Surface => {
  const found = surfaces.find((each) => nameOf(each) === words[0])
  if (found) return found
  throw new UsageError(insteadOf(words, surfaces.map(nameOf), scenarios))
}

interface TypedFlag {
  /** As declared: `strict`, even if `--no-strict` was typed. */
  readonly name: string
  /** As typed, without its value: `--no-strict`. */
  readonly typed: string
  /** Undefined if no value follows. */
  readonly value: string | undefined
}

/** Whether a word is a value: a negative number is one; anything else with a dash is the next flag. */
const isValue = (word: string): boolean => !word.startsWith('-') || word === '-' || /^-[\d.]/.test(word)

/** The declared name of a flag: `strict` for `no-strict`. */
const declaredName = (typed: string, flags: Flags): string => {
  const positive = typed.replace(/^no-/, '')
  const { type, mayBeOff = type === 'boolean' } = flags[positive] ?? {}
  return flags[typed] === undefined && mayBeOff ? positive : typed
}

/** The flags of a command line, and the words that are neither a flag nor its value. */
const tokensOf = (words: readonly string[], flags: Flags) => {
  const types = Object.entries(flags).map(([name, { type }]) => {
    return [name, { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) }]
  })
  const options = Object.fromEntries(types)
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true })
  const typed = tokens.flatMap((token): TypedFlag[] => {
    if (token.kind !== 'option') return []
    const { name, rawName, value, inlineValue } = token
    const isOwn = value !== undefined && (inlineValue || isValue(value))
    return [{ name: declaredName(name, flags), typed: rawName, value: isOwn ? value : undefined }]
  })
  return { typed, bare: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])) }
}

const checkKnown = ({ name, typed }: TypedFlag, flags: Flags, command: string): void => {
  if (flags[name] !== undefined) return
  const meant = nearest(name, [...Object.keys(flags), 'help'])
  const hint = meant === undefined ? `quotaspec ${command} --help lists its options.` : `Did you mean --${meant}?`
  throw new UsageError(`Unknown option ${typed} for quotaspec ${command}. ${hint}`)
}

/** The positional words by the names of their places; the last place may take several. */
const placesMeant = (bare: readonly string[], surface: Surface) => {
  const places = surface.command.split(' ').slice(1)
  const how = `type quotaspec ${surface.command}, as in ${surface.examples[0]?.[0]}`
  const address = bare.find((word) => /^https?:/i.test(word))
  if (address !== undefined && surface.options?.target)
    throw new UsageError(`quotaspec ${nameOf(surface)} takes ${cut(address)} as --target ${cut(address)}`)
  if (bare.length < places.filter((place) => place.startsWith('<')).length)
    throw new UsageError(`quotaspec ${nameOf(surface)} needs another argument: ${how}`)
  const extra = places.some((place) => place.includes('..')) ? undefined : bare[places.length]
  if (extra !== undefined) throw new UsageError(`quotaspec ${nameOf(surface)} does not take ${cut(extra)}: ${how}`)
  return Object.entries(surface.positionals ?? {}).map(([name, { array, default: usual, choices }], at) => {
    const word = bare[at]
    if (choices && word !== undefined && !choices.includes(word))
      throw new UsageError(`unknown argument ${cut(word)}; ${suggestion(word, choices)}`)
    return [name, array ? bare.slice(at) : (word ?? usual)]
  })
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const isWithin = (value: number, { least, most = Infinity, isWhole }: NonNullable<Flag['within']>): boolean =>
  value >= least && value <= most && (!isWhole || Number.isSafeInteger(value))

const sampleOf = (name: string, { sample, choices, value = 'VALUE' }: Flag): string =>
  `such as --${name} ${sample ?? choices?.[0] ?? value}`

/** The value of a flag that was typed once. Errors don't repeat a text that may be a secret. */
const meaningOf = ({ name, typed, value }: TypedFlag, flag: Flag): unknown => {
  const { type, choices, within } = flag
  const isOff = typed === `--no-${name}`
  if (type === 'boolean' || isOff) {
    if (value === undefined) return !isOff
    throw new UsageError(`${typed} takes no value: type ${typed} alone`)
  }
  if (value === undefined) throw new UsageError(`--${name} needs a value, ${sampleOf(name, flag)}`)
  if (type === 'number' && !decimal.test(value))
    throw new UsageError(`--${name} ${value}: not a number; type one, ${sampleOf(name, flag)}`)
  if (within !== undefined && !isWithin(Number(value), within))
    throw new UsageError(`--${name} ${value}: ${within.words}`)
  if (choices !== undefined && !choices.includes(value))
    throw new UsageError(`--${name} ${value}: ${suggestion(value, choices)}`)
  return type === 'number' ? Number(value) : value
}

/** The values of flags by name; a flag that was not typed has its default. */
const flagsMeant = (typed: readonly TypedFlag[], flags: Flags) =>
  Object.entries(flags).map(([name, flag]) => {
    const given = typed.filter((each) => each.name === name)
    const times = given.length
    if (times > 1 && !flag.array && flag.type !== 'boolean')
      throw new UsageError(
        `--${name} was given ${times === 2 ? 'twice' : `${times} times`}, and takes one value: give it once`,
      )
    const values = given.map((each) => meaningOf(each, flag))
    return [name, times === 0 ? flag.default : flag.array ? values : values.at(-1)]
  })

/** Parses the words after a command, or throws a {@link UsageError}. Loads next to nothing: refusals come at once. */
export const readWords = (words: readonly string[], surface: Surface): object => {
  const { options = {} } = surface
  const { typed, bare } = tokensOf(words, options)
  for (const each of typed) checkKnown(each, options, nameOf(surface))
  const args = Object.fromEntries([...flagsMeant(typed, options), ...placesMeant(bare, surface)])
  for (const [name, flag] of Object.entries(options))
    if (flag.demandOption && args[name] === undefined)
      throw new UsageError(`--${name} is missing; type one, ${sampleOf(name, flag)}`)
  surface.refuse?.(args)
  return args
}
