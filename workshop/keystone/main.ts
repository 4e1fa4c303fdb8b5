import { type ParseArgsConfig, parseArgs } from 'node:util'
import { exitCodes } from '../../src/assembly/exit-code.js'
import { type KeystoneRow, type MatrixOptions, playMatrix } from '../../src/cli/keystone/keystone.js'
import { givenContract } from '../../src/cli/run/given-contract.js'
import { clauseOf } from '../../src/contract/clauses.js'
import { UsageError } from '../../src/kit/usage-error.js'
import { checks } from '../../src/run/registry.js'
import { runStress } from '../stress/run-stress.js'
import { conditionsIn, partIn } from '../stress/stress-flags.js'
import { isExactAndDiagnosed } from './expected-diagnosis.js'

const usage = `npm run keystone -- [--contract FILE] [--id ID ...] [--seed N] [--time-scale N] [--at-once N] ...

Plays the kill matrix, as quotaspec faults --run does, and asks for a fault that brings down each check:
  --under NAMES    plays the matrix of petstore under stress, each of quiet,crowded,slow,delayed that is named, with
    --part N/M         one part of the trials, as in 1/8
    --results FILE     keeps what was played, so that it goes on from there (reports/stress.jsonl)
    --any-build        does not play again what another build of this program has played
    --write-stress PAGE  writes what the results say to this page`

const options = {
  contract: { type: 'string' },
  id: { type: 'string', multiple: true, default: [] as string[] },
  seed: { type: 'string', default: '1' },
  'time-scale': { type: 'string' },
  'at-once': { type: 'string' },
  under: { type: 'string' },
  part: { type: 'string', default: '1/1' },
  results: { type: 'string', default: 'reports/stress.jsonl' },
  'any-build': { type: 'boolean', default: false },
  'write-stress': { type: 'string' },
} satisfies ParseArgsConfig['options']

const asked = () => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Checks that judge, but that no fault of the whole matrix made fail. */
const unkilledChecks = (rows: readonly KeystoneRow[]): string[] => {
  const killed = new Set(rows.flatMap(({ killers }) => killers))
  const judging = checks.filter(
    (check) => check.level !== 'observe' && check.clauses.some((id) => clauseOf(id).level !== 'observe'),
  )
  return judging.map(({ id }) => id).filter((id) => !killed.has(id))
}

const playAll = async (matrix: MatrixOptions): Promise<boolean> => {
  const { rows, isRight } = await playMatrix(matrix)
  const unkilled = matrix.contract || matrix.ids.length > 0 ? [] : unkilledChecks(rows)
  for (const id of unkilled) say(`NOT check ${id}: no fault brings it down`)
  return isRight && unkilled.length === 0
}

const main = async (): Promise<boolean> => {
  const values = asked()
  const { id: ids, under, results } = values
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const matrix: MatrixOptions = {
    contract: await givenContract(values),
    ids,
    seed: Number(values.seed),
    timeScale: numberOf(values['time-scale']),
    atOnce: numberOf(values['at-once']),
    say,
    holds: isExactAndDiagnosed,
  }
  if (under === undefined) return playAll(matrix)
  if (matrix.contract) throw new UsageError('--under plays petstore: leave --contract out')
  return runStress({
    ...matrix,
    timeScale: matrix.timeScale ?? 10,
    under: conditionsIn(under),
    part: partIn(values.part),
    results,
    anyBuild: values['any-build'],
    page: values['write-stress'],
  })
}

try {
  process.exitCode = (await main()) ? exitCodes.pass : exitCodes.fail
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`keystone: ${error.message}\n`)
  process.exitCode = exitCodes.usage
}
