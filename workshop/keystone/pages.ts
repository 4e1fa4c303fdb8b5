import { trialsOf } from '../../src/cli/keystone/trials.js'
import type { ApiContract } from '../../src/contract/api-contract.js'
import { type Expectation, outcomeOf } from '../corpus/expectation.js'
import { nameOf, recordedContracts } from '../corpus/recordings.js'

/** The result of the recorded run with this id, such as `petstore/limit-plus-one`. */
type Expected = (id: string) => Expectation

const list = (items: readonly string[]): string => (items.length === 0 ? '—' : [...items].sort().join(', '))

const matrixOf = (contract: ApiContract | undefined, expectedOf: Expected): string => {
  const rows = trialsOf(contract, []).map(({ kind, id }) => {
    const { diagnosed, ...outcome } = outcomeOf(expectedOf(`${nameOf(contract)}/${id}`))
    const takenFor = [...new Set(diagnosed.map(({ looksLike }) => looksLike ?? 'nothing known'))]
    return { kind, id, takenFor, ...outcome }
  })
  const faults = rows.filter(({ kind }) => kind === 'fault')
  const variations = rows.filter(({ kind, failing }) => kind === 'variation' && failing.length === 0)
  return [
    `| fault (${faults.length}) | failing clauses | taken for | checks that fail |`,
    '| --- | --- | --- | --- |',
    ...faults.map(
      ({ id, failing, takenFor, killers }) => `| \`${id}\` | ${list(failing)} | ${list(takenFor)} | ${list(killers)} |`,
    ),
    '',
    `${contract ? '###' : '##'} Conforming variations (${variations.length}), on which nothing fails`,
    '',
    variations.map(({ id, open }) => `\`${id}\`${open.length > 0 ? ` (${list(open)} left open)` : ''}`).join(', '),
    '',
  ].join('\n')
}

const killMatrix = (expectedOf: Expected): string => `# The kill matrix

A check counts only once it has been seen to fail. Each row is a fault of the reference server, the clauses that fail on it
(exactly those that it breaks), what a broken quota was taken for on every plan that failed, and the checks that find the fault.
\`npm run corpus -- --accept\` writes it from the recorded runs, which \`npm test\` judges.

${matrixOf(undefined, expectedOf)}`

const contractMatrices = (expectedOf: Expected): string =>
  [
    `# The kill matrices of contracts

How the checks of any quota do on contracts other than the Petstore's. Each contract has a table: the faults of a server that
should keep it, the clauses that fail on each, what a broken quota was taken for, and the checks that find the fault, each with
the quota that it judged. \`npm run corpus -- --accept\` writes it from the recorded runs.
`,
    ...recordedContracts.flatMap((contract) =>
      contract ? [`## ${contract.name}\n\n${matrixOf(contract, expectedOf)}`] : [],
    ),
  ].join('\n')

/** The docs pages that say which checks detect which fault, and which variations pass all checks. */
export const matrixPages = (expectedOf: Expected): ReadonlyMap<string, string> =>
  new Map([
    ['docs/explanation/kill-matrix.md', killMatrix(expectedOf)],
    ['docs/explanation/kill-matrix-contracts.md', contractMatrices(expectedOf)],
  ])
