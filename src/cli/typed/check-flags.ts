import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { type Flag, nameOf, type Surface } from '../surface/surface.js'
import { type TypedFlag, typedFlags } from './typed-flags.js'

/** Flags of every command. */
const ofAll: Readonly<Record<string, Flag>> = { help: { type: 'boolean' } }

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const sampleOf = (name: string, { sample, choices }: Flag): string => `--${name} ${sample ?? choices?.[0] ?? 'VALUE'}`

const checkKnown = ({ name, typed }: TypedFlag, flags: Readonly<Record<string, Flag>>, command: string): void => {
  if (flags[name] !== undefined) return
  const near = suggestion(
    `--${name}`,
    Object.keys(flags).map((each) => `--${each}`),
  )
  const hint = near.startsWith('known') ? `quotaspec ${command} --help lists those that it takes` : near
  throw new UsageError(`${typed} is no flag of quotaspec ${command}: ${hint}`)
}

const checkValue = ({ name, typed, value }: TypedFlag, flag: Flag): void => {
  if (flag.type === 'boolean' || typed === `--no-${name}`) {
    // What is typed may be a secret in the wrong place: it is not repeated.
    if (value !== undefined && value !== 'true' && value !== 'false')
      throw new UsageError(`${typed} takes no value: type ${typed} alone`)
    return
  }
  if (value === undefined) throw new UsageError(`--${name} needs a value behind it, such as ${sampleOf(name, flag)}`)
  if (flag.type === 'number' && !number.test(value))
    throw new UsageError(`--${name} ${value}: that is no number; type one, such as ${sampleOf(name, flag)}`)
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

/**
 * Throws a {@link UsageError} where a flag is none of the command's, lacks its value, has one that it can't have, or came
 * twice though it takes one; then where the command itself can see that it will not do. It names no value that may be a secret: those of flags that take any text.
 */
export const checkFlags = (words: readonly string[], surface: Surface): void => {
  const flags = { ...surface.options, ...ofAll }
  const typed = typedFlags(words, flags)
  for (const each of typed) {
    checkKnown(each, flags, nameOf(surface))
    checkValue(each, flags[each.name])
  }
  checkOnce(typed, flags)
  surface.refuse?.(typed)
}
