import type { KeystoneRow } from '../../src/cli/keystone/keystone.js'
import { trialsOf } from '../../src/cli/keystone/trials.js'
import type { ApiContract } from '../../src/contract/api-contract.js'

/** The page without its last columns: which of several checks sees a fault first may differ from run to run. */
const withoutKillers = (page: string): string =>
  page
    .split('\n')
    .map((line) => (line.startsWith('| `') ? line.split('|').slice(0, 3).join('|') : line))
    .join('\n')

/** Whether a saved page tells of the same faults, clauses and variations as this one. */
const tellsTheSame = (saved: string, page: string): boolean => withoutKillers(saved) === withoutKillers(page)

const sorted = (items: readonly string[]): string[] => [...items].sort()

const list = (items: readonly string[]): string => (items.length === 0 ? '—' : sorted(items).join(', '))

const likenesses = ({ diagnosed }: KeystoneRow): string[] => [
  ...new Set(diagnosed.map(({ looksLike }) => looksLike ?? 'nothing known')),
]

/** What a matrix begins with, and the heading of its variations. */
interface MatrixWords {
  readonly intro: readonly string[]
  readonly cleanTitle: string
  /** What is said of the variations that are named. */
  readonly cleanIs: string
  /** Whether it names those too on which something was left open, and what. */
  readonly namesOpen?: boolean
}

const petstoreWords: MatrixWords = {
  intro: [
    '# The kill matrix',
    '',
    'A check counts only once it has been seen to fail. Each row is a fault of the reference server, the clauses that fail',
    'on it (exactly those that it breaks), what a broken quota was taken for on every plan that failed, and the checks that',
    'bring the fault down. Made by `npm run keystone -- --write FILE`.',
  ],
  cleanTitle: '## Conforming variations',
  cleanIs: 'on which nothing fails and nothing is left open',
}

const lineOf = (row: KeystoneRow): string =>
  `| \`${row.id}\` | ${list(row.failing)} | ${list(likenesses(row))} | ${list(row.killers)} |`

/** Of a variation that the page may name its name, with what was left open on it; undefined where it may not. */
const labelOf = (row: KeystoneRow, { namesOpen = false }: MatrixWords): string | undefined => {
  if (row.exact) return `\`${row.id}\``
  return namesOpen && row.failing.length === 0 ? `\`${row.id}\` (${list(row.open)} left open)` : undefined
}

const pageOf = (
  { intro, cleanTitle, cleanIs }: MatrixWords,
  table: readonly string[],
  clean: readonly string[],
): string =>
  [
    ...intro,
    '',
    `| fault (${table.length}) | failing clauses | taken for | checks that fail |`,
    '| --- | --- | --- | --- |',
    ...table,
    '',
    `${cleanTitle} (${clean.length}), ${cleanIs}`,
    '',
    clean.join(', '),
    '',
  ].join('\n')

/** The kill matrix as a page: which checks bring down which fault, and the variations that none accuses. */
export const renderKillMatrix = (rows: readonly KeystoneRow[], words: MatrixWords = petstoreWords): string =>
  pageOf(
    words,
    rows.filter(({ kind }) => kind === 'fault').map(lineOf),
    rows.filter(({ kind }) => kind === 'variation').flatMap((row) => labelOf(row, words) ?? []),
  )

/**
 * A saved page with the rows of a few faults and variations renewed, or added at their place.
 *
 * @param order every id of the catalogues, in their order; what is in none of them goes.
 */
export const renewKillMatrix = (
  saved: string,
  rows: readonly KeystoneRow[],
  order: readonly string[],
  words: MatrixWords = petstoreWords,
): string => {
  const [faults, variations = ''] = saved.split(words.cleanTitle)
  const lines = new Map(
    faults.split('\n').flatMap((line) => {
      const id = /^\| `([^`]+)`/.exec(line)?.[1]
      return id === undefined ? [] : [[id, line] as const]
    }),
  )
  const clean = new Map(Array.from(variations.matchAll(/`([^`]+)`(?: \([^)]*\))?/g), ([label, id]) => [id, label]))
  for (const row of rows) {
    const label = labelOf(row, words)
    if (row.kind === 'fault') lines.set(row.id, lineOf(row))
    else if (label === undefined) clean.delete(row.id)
    else clean.set(row.id, label)
  }
  return pageOf(
    words,
    order.flatMap((id) => lines.get(id) ?? []),
    order.flatMap((id) => clean.get(id) ?? []),
  )
}

const intro = `# The kill matrices of contracts

What a check of any quota is worth shows on contracts that differ from petstore. Each has a table: the faults of a server
that should keep it, the clauses that fail on them, what a broken quota was taken for, and the checks that bring the
fault down, a colon before the quota that they judged. Made by \`npm run keystone -- --contract FILE --write PAGE\`.
`

const heading = (name: string): string => `## ${name}`

const wordsOf = (name: string): MatrixWords => ({
  intro: [heading(name)],
  cleanTitle: '### Conforming variations',
  cleanIs: 'on which nothing fails',
  namesOpen: true,
})

/** What comes before the sections of a page, and the sections: each begins with its heading. */
const sectionsOf = (page: string): readonly string[] => page.split(/^(?=## )/m).map(ended)

/** With one line feed at its end. */
const ended = (text: string): string => `${text.trimEnd()}\n`

const isOf = (name: string, section: string): boolean => section.split('\n', 1)[0] === heading(name)

/** The table of one contract in a page of several; empty where there is none. */
export const matrixOf = (page: string, name: string): string =>
  sectionsOf(page).find((section) => isOf(name, section)) ?? ''

const withSection = (page: string, name: string, section: string): string => {
  const known = sectionsOf(page).slice(1)
  const others = known.some((each) => isOf(name, each))
    ? known.map((each) => (isOf(name, each) ? section : each))
    : [...known, section]
  return [intro, ...others].map(ended).join('\n')
}

/** A page with the table of one contract as it came out; those of others stay. */
export const renderContractMatrix = (page: string, name: string, rows: readonly KeystoneRow[]): string =>
  withSection(page, name, renderKillMatrix(rows, wordsOf(name)))

/** A page with a few rows of one contract renewed, or added at their place. */
export const renewContractMatrix = (
  page: string,
  name: string,
  rows: readonly KeystoneRow[],
  order: readonly string[],
): string => withSection(page, name, renewKillMatrix(matrixOf(page, name), rows, order, wordsOf(name)))

const idsOf = (contract: ApiContract | undefined): string[] => trialsOf(contract, []).map(({ id }) => id)

/** A page with the matrix as it came out: with all rows new, or, `isWhole` not, with these renewed or added at their place. */
export const pageWith = (
  saved: string,
  rows: readonly KeystoneRow[],
  contract: ApiContract | undefined,
  isWhole: boolean,
): string => {
  if (contract === undefined) return isWhole ? renderKillMatrix(rows) : renewKillMatrix(saved, rows, idsOf(contract))
  const { name } = contract
  return isWhole ? renderContractMatrix(saved, name, rows) : renewContractMatrix(saved, name, rows, idsOf(contract))
}

/** Whether a saved page tells of the same faults, clauses and variations as these rows of a whole matrix. */
export const tellsOf = (saved: string, rows: readonly KeystoneRow[], contract: ApiContract | undefined): boolean => {
  const part = (page: string) => (contract === undefined ? page : matrixOf(page, contract.name))
  return tellsTheSame(part(saved), part(pageWith('', rows, contract, true)))
}
