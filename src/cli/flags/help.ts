import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledIn } from '../../kit/package-file.js'
import { wrap } from '../../report/formats/terminal-text.js'
import { scenarioFolder } from '../../run/package.js'
import { type Flag, nameOf, placeOf, type Surface } from './command.js'

interface Helped {
  readonly surfaces: readonly Surface[]
  readonly scenarios: readonly (readonly [name: string, description: string])[]
  readonly width: number
}

const narrowest = 60
/** Descriptions begin at most this far to the right: a longer name gets its own line. */
const furthest = 34

const table = (rows: readonly (readonly [string, string])[], width: number): string[] => {
  const column = Math.min(furthest, Math.max(...rows.map(([name]) => name.length))) + 2
  return rows.flatMap(([name, text]) => {
    const [first = '', ...more] = wrap(text, Math.max(narrowest - column, width - column - 2))
    const head =
      name.length + 2 > column ? [`  ${name}`, `  ${' '.repeat(column)}${first}`] : [`  ${name.padEnd(column)}${first}`]
    return [...head, ...more.map((line) => `  ${' '.repeat(column)}${line}`)]
  })
}

/** A default for help; none if it is obvious or a list. */
const usual = (given: unknown): string =>
  given === undefined || given === false || Array.isArray(given) ? '' : ` (${String(given)})`

const flagRow = ([name, flag]: readonly [string, Flag]): readonly [string, string] => [
  `--${name}${placeOf(flag)}`,
  `${flag.describe}${flag.array === true ? '; may be repeated' : ''}${usual(flag.default ?? flag.defaultDescription)}`,
]

const wordRow = ([name, word]: readonly [string, Flag]): readonly [string, string] => [
  name,
  `${word.describe}${word.choices ? `: ${word.choices.join(', ')}` : ''}${usual(word.default ?? word.defaultDescription)}`,
]

const examples = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.flatMap(([command, effect]) => [`  ${command}`, `      ${effect}`])

const commandHelp = (surface: Surface, { width }: Pick<Helped, 'width'>): string => {
  const words = Object.entries(surface.positionals ?? {}).map(wordRow)
  const flags = Object.entries(surface.options ?? {}).map(flagRow)
  return [
    `quotaspec ${surface.command}${flags.length > 0 ? ' [flags]' : ''}`,
    '',
    ...wrap(surface.describe, width),
    ...(words.length > 0 ? ['', ...table(words, width)] : []),
    ...(flags.length > 0 ? ['', 'Flags:', ...table(flags, width)] : []),
    '',
    'Examples:',
    ...examples(surface.examples),
    '',
  ].join('\n')
}

const generalHelp = ({ surfaces, scenarios, width }: Helped): string =>
  [
    'quotaspec proves that an HTTP API keeps its contract, quotas included.',
    '',
    'Commands:',
    ...table(
      surfaces.map(({ command, describe }) => [command, describe]),
      width,
    ),
    '',
    'Scenarios, for run and plan:',
    ...table(scenarios, width),
    '',
    'Examples:',
    ...examples([
      ['quotaspec demo', 'the release gate in half a minute, against a server that it starts'],
      ['quotaspec run smoke --target https://staging.example/v1', 'a first look at your own server'],
    ]),
    '',
    'quotaspec COMMAND --help shows the flags of a command; quotaspec --version prints the version.',
    '',
  ].join('\n')

/** Whether help is requested: by a flag before a bare `--`, or by the word `help`. */
export const asksHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf('--')
  return (
    (end < 0 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h') || words[0] === 'help'
  )
}

export const helpFor = (words: readonly string[], helped: Helped): string => {
  const named = helped.surfaces.find((each) => words.includes(nameOf(each)))
  return named === undefined ? generalHelp(helped) : commandHelp(named, helped)
}

export const scenarioNames = (): string[] => bundledIn(scenarioFolder)

/** A bundled scenario's description, read as a line of its file, so that no parser has to be loaded. */
export const scenarioDescription = (name: string): string =>
  /^description: (.+)$/m.exec(readFileSync(join(scenarioFolder, `${name}.yaml`), 'utf8'))?.[1] ?? ''
