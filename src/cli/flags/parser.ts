import yargs, { type Options } from 'yargs'
import { UsageError } from '../../kit/usage-error.js'
import { type Flag, nameOf, type Surface } from './command.js'

/** What only errors, help and completion know of a flag is nothing to yargs. */
const asOption = ({ sample: _sample, names: _names, value: _value, mayBeOff: _mayBeOff, ...option }: Flag): Options =>
  option

/**
 * What the words behind a command mean: its words and flags by name, and in `_` the command with what stands behind a
 * bare `--`. The words were looked at by `checkFlags` and `checkWords`. Throws a {@link UsageError} for the rest.
 */
export const parseWords = async (words: readonly string[], surface: Surface): Promise<object> => {
  const { command, describe, positionals = {}, options = {} } = surface
  const name = nameOf(surface)
  const parser = yargs([...words])
    .scriptName(`quotaspec ${name}`)
    // As the default command: of any other yargs lays out the whole help with each call.
    .command(['$0', ...command.split(' ').slice(1)].join(' '), describe, (given) => {
      let built = given
      for (const [word, { names: _names, ...positional }] of Object.entries(positionals))
        built = built.positional(word, positional)
      for (const [flag, each] of Object.entries(options)) built = built.option(flag, asOption(each))
      return built
    })
    .strict()
    .parserConfiguration({ 'greedy-arrays': false, 'duplicate-arguments-array': true })
    .help(false)
    .version(false)
    .fail((message, error) => {
      throw error ?? new UsageError(message)
    })
    .exitProcess(false)
  const args = await parser.parseAsync()
  return { ...args, _: [name, ...args._] }
}

/** Prints the script that has bash or zsh, whichever this is called from, ask this program. */
export const printCompletionScript = (): void => {
  yargs([]).scriptName('quotaspec').completion('completion', false).showCompletionScript()
}
