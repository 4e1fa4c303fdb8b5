import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { CommandModule } from 'yargs'
import { brokenOf } from '../../../reference-server/any/contract-fault.js'
import { contractFaults } from '../../../reference-server/any/faults.js'
import { faults } from '../../../reference-server/faults/catalogue.js'
import type { Fault } from '../../../reference-server/faults/fault.js'
import { variations } from '../../../reference-server/variations/catalogue.js'
import { exitCodes } from '../../assembly/exit-code.js'
import type { ApiContract } from '../../contract/any/api-contract.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { type KeystoneRow, playKeystone, unkilledChecks } from '../keystone/keystone.js'
import { renderKillMatrix, renewKillMatrix, tellsTheSame } from '../keystone/kill-matrix.js'
import { runStress } from '../keystone/stress/run-stress.js'
import { conditionsIn, partIn } from '../keystone/stress/stress-flags.js'
import { givenContract } from '../run/contract-run.js'
import { checkScaleAndSeed } from '../run/scale-and-seed.js'

interface Args {
  readonly contract?: string
  readonly run: boolean
  readonly id: string[]
  readonly seed: number
  readonly 'time-scale': number
  readonly 'at-once'?: number
  readonly write?: string
  readonly compare?: string
  readonly under?: string
  readonly part: string
  readonly results: string
  readonly 'any-build': boolean
  readonly 'write-stress'?: string
}

const catalogued: readonly string[] = [...faults, ...variations].map(({ id }) => id)

const usualAtOnce = 20

const options = {
  contract: { type: 'string', describe: 'List those that mean something to this contract file' },
  run: {
    type: 'boolean',
    default: false,
    describe: 'Play the kill matrix: every fault, and every conforming variation',
  },
  id: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'With --run: these faults and variations only',
  },
  seed: { type: 'number', default: 1, describe: 'With --run: the seed of every run' },
  'time-scale': { type: 'number', default: 10, describe: 'With --run: divides every window' },
  'at-once': { type: 'number', describe: `With --run: trials side by side; ${usualAtOnce}, or what a condition bears` },
  write: { type: 'string', describe: 'With --run: writes the matrix to this file; with --id, renews their rows in it' },
  compare: { type: 'string', describe: 'With --run: fails where this file is not the matrix that came out' },
  under: {
    type: 'string',
    describe: 'With --run: plays the matrix under stress instead, each of quiet,crowded,slow,delayed that is named',
  },
  part: { type: 'string', default: '1/1', describe: 'With --under: one part of the trials, as in 1/8' },
  results: {
    type: 'string',
    default: 'reports/stress.jsonl',
    describe: 'With --under: keeps what was played, so that it goes on from there',
  },
  'any-build': {
    type: 'boolean',
    default: false,
    describe: 'With --under: what another build of this program has played is not played again',
  },
  'write-stress': { type: 'string', describe: 'With --under: writes what the results say to this file' },
} as const

const listFaults = (listed: readonly Pick<Fault, 'id' | 'breaks' | 'sentence'>[]): void => {
  const width = Math.max(...listed.map(({ id }) => id.length))
  for (const { id, breaks, sentence } of listed) {
    process.stdout.write(`${id.padEnd(width)}  ${breaks.join(', ').padEnd(24)}  ${sentence}\n`)
  }
}

const tell = (row: KeystoneRow): void => {
  const got = [...row.failing].sort().join(', ') || 'nothing'
  const open = row.open.length > 0 ? `, open ${row.open.join(', ')}` : ''
  const verdict = row.exact ? 'ok ' : 'NOT'
  const wanted = row.exact ? '' : ` (wanted ${[...row.expected].sort().join(', ') || 'nothing'})`
  process.stdout.write(`${verdict} ${row.kind} ${row.id}: ${got}${wanted}${row.exact ? '' : open} ${row.seconds} s\n`)
  if (row.exact) return
  for (const { where, looksLike, facts } of row.diagnosed)
    process.stdout.write(`    ${where} was taken for ${looksLike ?? 'nothing known'} ${JSON.stringify(facts)}\n`)
}

const requireKnown = (ids: readonly string[]): void => {
  const unknown = ids.find((id) => !catalogued.includes(id))
  if (unknown === undefined) return
  const hint = suggestion(unknown, catalogued)
  const told = hint.startsWith('known') ? 'quotaspec faults lists the faults' : hint
  throw new UsageError(`--id ${unknown}: there is no such fault or variation; ${told}`)
}

/** Each trial is a server and a run in a thread of its own. */
const mostAtOnce = 64

const checkArgs = (args: Args): void => {
  checkScaleAndSeed(args)
  const { 'at-once': atOnce = usualAtOnce } = args
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > mostAtOnce)
    throw new UsageError(`--at-once ${atOnce}: a whole number from 1 to ${mostAtOnce}`)
  requireKnown(args.id)
}

/** The page that is there, with the rows of a few trials renewed; those that are not as they should be stay. */
const renewed = (file: string, rows: readonly KeystoneRow[]): string => {
  for (const { id } of rows.filter(({ exact }) => !exact)) process.stdout.write(`NOT ${file}: ${id} is not renewed\n`)
  const saved = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const right = rows.filter(({ exact }) => exact)
  return renewKillMatrix(saved, right, catalogued)
}

/** Plays the matrix. The exit code is 0 only where every row is exact, every check killed and the page not stale. */
const runMatrix = async (args: Args): Promise<number> => {
  checkArgs(args)
  const rows = await playKeystone({
    timeScale: args['time-scale'],
    seed: args.seed,
    atOnce: args['at-once'] ?? usualAtOnce,
    ids: args.id,
    watch: (row) => {
      tell(row)
      if (args.id.length > 0 && row.killers.length > 0)
        process.stdout.write(`    brought down by ${[...row.killers].sort().join(', ')}\n`)
    },
  })
  const wrong = rows.filter(({ exact }) => !exact)
  const unkilled = args.id.length === 0 ? unkilledChecks(rows) : []
  for (const id of unkilled) process.stdout.write(`NOT check ${id}: no fault brings it down\n`)
  const page = renderKillMatrix(rows)
  if (args.write) writeFileSync(args.write, args.id.length === 0 ? page : renewed(args.write, rows))
  const stale =
    args.compare !== undefined && (!existsSync(args.compare) || !tellsTheSame(readFileSync(args.compare, 'utf8'), page))
  if (stale) process.stdout.write(`NOT ${args.compare}: stale; npm run keystone -- --write ${args.compare} renews it\n`)
  process.stdout.write(`${rows.length - wrong.length} of ${rows.length} exact\n`)
  return wrong.length + unkilled.length === 0 && !stale ? exitCodes.pass : exitCodes.fail
}

/** Plays the matrix under stress. The exit code is 0 only where nothing is as it must never be, and enough faults are red. */
const runUnder = async (args: Args, under: string): Promise<number> => {
  checkArgs(args)
  return runStress({
    under: conditionsIn(under),
    ids: args.id,
    part: partIn(args.part),
    seed: args.seed,
    timeScale: args['time-scale'],
    atOnce: args['at-once'],
    results: args.results,
    anyBuild: args['any-build'],
    page: args['write-stress'],
    say: (line) => process.stdout.write(`${line}\n`),
  })
}

/** The faults of a server that should keep this contract, with the clauses of it that they break. */
const faultsAgainst = (contract: ApiContract) =>
  contractFaults
    .filter(({ appliesTo }) => appliesTo(contract))
    .map((fault) => ({ ...fault, breaks: brokenOf(fault.breaks, contract) }))

/** Lists the faults that the reference server can be given; with --run, plays them all. */
export const faultsCommand: CommandModule<object, Args> = {
  command: 'faults',
  describe: 'List the faults of the reference server; with --run, play the kill matrix',
  builder: (yargs) => yargs.options(options) as never,
  handler: async (args) => {
    const contract = await givenContract(args)
    if (contract && args.run) throw new UsageError('--contract lists faults: leave --run out')
    if (!args.run) return listFaults(contract ? faultsAgainst(contract) : faults)
    process.exitCode = await (args.under === undefined ? runMatrix(args) : runUnder(args, args.under))
  },
}
