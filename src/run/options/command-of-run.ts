import { present, shellWord } from '../../kit/words.js'
import { thisProgram } from '../machine.js'
import { type RunOptions, usual } from './run-options.js'
import { type OptionPath, type SettledOptions, valueAt } from './settle-options.js'

const flagNames: Readonly<Record<string, string>> = {
  keys: 'key',
  quotas: 'quota',
  'quotas.enterprise': 'quota',
  'timeouts.connect': 'connect-timeout',
  'timeouts.head': 'head-timeout',
  'timeouts.body': 'body-timeout',
  'timeouts.run': 'time-limit',
}

/** The flag of an option, without its dashes: `read-only`. */
export const flagOf = (path: OptionPath): string => {
  const name = path.map(String).join('.')
  return flagNames[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The options to type, in order, each with its value and whether that is the default. */
const typedOptions = (options: RunOptions): readonly (readonly [OptionPath, value: unknown, isUsual: boolean])[] => {
  const { quotas, timeouts, timeScale, agents } = options
  const { enterprise } = quotas
  const plain = (...names: readonly (keyof RunOptions)[]) =>
    names.map((name) => [[name], options[name], options[name] === false || options[name] === undefined] as const)
  return [
    ...plain('target', 'contract', 'longWindows'),
    [
      ['quotas', 'enterprise'],
      enterprise && `enterprise=minute:${enterprise.minute},day:${enterprise.day}`,
      enterprise === undefined,
    ],
    [['timeScale'], timeScale, timeScale === usual.timeScale],
    ...plain('only', 'skip', 'with', 'strict', 'readOnly', 'allowLoad', 'withoutLoad', 'withoutRejectedKeys'),
    [['agents'], agents.map(({ group, count }) => `${group}=${count}`).join(','), agents.length === 0],
    ...plain('waivers'),
    ...(['connect', 'head', 'body', 'run'] as const).map(
      (name) => [['timeouts', name], timeouts[name], timeouts[name] === undefined] as const,
    ),
    ...plain('ca', 'insecure'),
  ]
}

const asTyped = (flag: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => asTyped(flag, each))
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
  // A contract given as a value has to be written to a file first.
  return [`--${flag} ${typeof value === 'object' ? 'FILE' : shellWord(String(value))}`]
}

/** The flags to type. Options from the configuration file stay there; flags that overrode it are typed again. */
const wordsOf = ({ options, file, sourceOf }: SettledOptions): string[] =>
  typedOptions(options).flatMap(([path, value, isUsual]) => {
    const source = sourceOf(...path)
    const inFile = file && valueAt(file.values, path)
    const isLeftOut = isUsual && (source === undefined || inFile === undefined || inFile === value)
    return isLeftOut || (file && source === file) ? [] : asTyped(flagOf(path), value)
  })

/** `--config` for what has no flag (gates, key variables). A file that quotaspec finds by itself needs no name. */
const fileWords = ({ file }: SettledOptions): string[] => {
  if (!file) return []
  const { file: name, environment, isFound } = file.file
  return present(
    !(isFound && environment !== undefined) && `--config ${shellWord(name)}`,
    environment !== undefined && `--env ${environment}`,
  )
}

/** The command that repeats a run; keys come from the environment. */
export const commandOf = (settled: SettledOptions, seed: number): string => {
  const { options, file, sourceOf, withoutFile } = settled
  const isNamed = !(file && sourceOf('scenario') === file)
  return present(
    `${thisProgram()} run`,
    isNamed && shellWord(options.scenario),
    ...wordsOf(settled),
    ...fileWords(settled),
    withoutFile && '--no-config',
    `--seed ${seed}`,
  ).join(' ')
}
