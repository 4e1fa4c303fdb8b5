import type { KeystoneRow } from './keystone.js'
import { type MatrixWords, renderKillMatrix, renewKillMatrix } from './kill-matrix.js'

const intro = `# The kill matrices of contracts

What a check of any quota is worth shows on contracts that differ from petstore. Each has a table: the faults of a server
that should keep it, the clauses that fail on them, what a broken quota was taken for, and the checks that bring the
fault down, a colon before the quota that they judged. Made by \`quotaspec faults --run --contract FILE --write\`.
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
