import type { KeystoneRow } from './keystone.js'

/** The page without its last columns: which of several checks sees a fault first may differ from run to run. */
const withoutKillers = (page: string): string =>
  page
    .split('\n')
    .map((line) => (line.startsWith('| `') ? line.split('|').slice(0, 3).join('|') : line))
    .join('\n')

/** Whether a saved page tells of the same faults, clauses and variations as this one. */
export const tellsTheSame = (saved: string, page: string): boolean => withoutKillers(saved) === withoutKillers(page)

const sorted = (items: readonly string[]): string[] => [...items].sort()

const list = (items: readonly string[]): string => (items.length === 0 ? '—' : sorted(items).join(', '))

const likenesses = ({ diagnosed }: KeystoneRow): string[] => [
  ...new Set(diagnosed.map(({ looksLike }) => looksLike ?? 'nothing known')),
]

/** The kill matrix as a page: which checks bring down which fault, and the variations that none accuses. */
export const renderKillMatrix = (rows: readonly KeystoneRow[]): string => {
  const table = rows
    .filter(({ kind }) => kind === 'fault')
    .map((row) => `| \`${row.id}\` | ${list(row.failing)} | ${list(likenesses(row))} | ${list(row.killers)} |`)
  const clean = rows.filter(({ kind, exact }) => kind === 'variation' && exact).map(({ id }) => `\`${id}\``)
  return [
    '# The kill matrix',
    '',
    'A check counts only once it has been seen to fail. Each row is a fault of the reference server, the clauses that fail',
    'on it (exactly those that it breaks), what a broken quota was taken for on every plan that failed, and the checks that',
    'bring the fault down. Made by `npm run keystone -- --write`.',
    '',
    `| fault (${table.length}) | failing clauses | taken for | checks that fail |`,
    '| --- | --- | --- | --- |',
    ...table,
    '',
    `## Conforming variations (${clean.length}), on which nothing fails and nothing is left open`,
    '',
    clean.join(', '),
    '',
  ].join('\n')
}
