import { type Flag, nameOf, placeOf, type Surface } from '../../src/cli/flags/command.js'
import { tableCell } from '../../src/kit/words.js'

const code = (text: string): string => `\`${tableCell(text)}\``

const usual = (given: unknown): string =>
  given === undefined || given === false || Array.isArray(given) ? '' : code(String(given))

const wordRow = ([name, word]: readonly [string, Flag]): string => {
  const choices = word.choices ? `: ${word.choices.join(', ')}` : ''
  return `| ${code(name)} | ${tableCell(`${word.describe}${choices}`)} | ${usual(word.default ?? word.defaultDescription)} |`
}

const flagRow = ([name, flag]: readonly [string, Flag]): string => {
  const times = flag.array === true ? '; may be repeated' : ''
  const meaning = `${flag.describe}${times}`
  return `| ${code(`--${name}${placeOf(flag)}`)} | ${tableCell(meaning)} | ${usual(flag.default ?? flag.defaultDescription)} |`
}

const table = (head: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : ['', `| ${head} | meaning | default |`, '|---|---|---|', ...rows]

const section = (surface: Surface): string =>
  [
    `## ${nameOf(surface)}`,
    '',
    `${surface.describe}.`,
    '',
    `\`quotaspec ${surface.command}\``,
    ...table('argument', Object.entries(surface.positionals ?? {}).map(wordRow)),
    ...table('flag', Object.entries(surface.options ?? {}).map(flagRow)),
    ...surface.examples.flatMap(([command, effect]) => ['', `${effect}:`, '', '```', command, '```']),
    '',
  ].join('\n')

/** The command reference in Markdown, made from what the parser uses: an overview, then words, flags and examples of each. */
export const commandReference = (surfaces: readonly Surface[]): string => {
  const row = (surface: Surface) =>
    `| [\`${tableCell(surface.command)}\`](#${nameOf(surface)}) | ${tableCell(surface.describe)} |`
  const overview = ['| command | what it does |', '|---|---|', ...surfaces.map(row)]
  return [`${overview.join('\n')}\n`, ...surfaces.map(section)].join('\n')
}
