import yargs, { type Argv, type Options } from 'yargs'
import { UsageError } from '../../kit/usage-error.js'
import { type Flag, nameOf, type Surface } from '../surface/surface.js'
import { completions } from './completions.js'

/** What only errors and completion know of a flag is nothing to yargs. */
const asOption = ({ sample: _sample, names: _names, value: _value, mayBeOff: _mayBeOff, ...option }: Flag): Options =>
  option

const withSurface = (parser: Argv, surface: Surface): Argv => {
  const { command, describe, positionals = {}, options = {}, load } = surface
  if (load === undefined) return parser
  const build = (given: Argv): Argv => {
    let built = given
    for (const [name, { names: _names, ...positional }] of Object.entries(positionals))
      built = built.positional(name, positional)
    for (const [name, flag] of Object.entries(options)) built = built.option(name, asOption(flag))
    return built
  }
  return parser.command(command, describe, build, async (args) => (await load())(args as never))
}

/** In our words: what yargs says of words that stand where none is due, or are missing. */
const inOurWords = (message: string, surface: Surface | undefined): string => {
  if (surface === undefined) return message
  const [example] = surface.examples[0]
  const extra = /^Unknown (?:argument|command)s?: (.*)$/s.exec(message)?.[1]
  if (extra !== undefined)
    return `quotaspec ${nameOf(surface)} can't place ${extra}: type quotaspec ${surface.command}, as in ${example}`
  if (message.startsWith('Not enough non-option arguments'))
    return `quotaspec ${nameOf(surface)} needs more words: type quotaspec ${surface.command}, as in ${example}`
  const missing = /^Missing required arguments?: (.*)$/s.exec(message)?.[1]
  if (missing !== undefined) return `--${missing} is missing: type it, as in ${example}`
  return message
}

/**
 * The parser for all commands. It throws a {@link UsageError} where words are missing or too many.
 *
 * @param meant the command that the words begin with, of whose words errors speak.
 */
export const parserOf = (words: readonly string[], surfaces: readonly Surface[], meant: Surface | undefined): Argv => {
  const parser = yargs(words)
    .scriptName('quotaspec')
    .version(false)
    .demandCommand(1, 'say what to do: quotaspec run --target URL is the usual one; quotaspec --help lists the others')
    .strict()
    .parserConfiguration({ 'greedy-arrays': false, 'duplicate-arguments-array': true })
    .help(false)
    .fail((message, error) => {
      // yargs words what it can't parse; whatever a command throws comes through as it was.
      throw error ?? new UsageError(inOurWords(message, meant))
    })
    .exitProcess(false)
  const completion = surfaces.find((each) => nameOf(each) === 'completion')
  if (completion) {
    parser.completion('completion', completion.describe, (_current, given) =>
      completions(given._.map(String), surfaces),
    )
  }
  return surfaces.reduce(withSurface, parser)
}
