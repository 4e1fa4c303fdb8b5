import { brokenOf } from '../../../reference-server/any/faults/contract-fault.js'
import { contractFaults } from '../../../reference-server/any/faults.js'
import { faults } from '../../../reference-server/faults/catalogue.js'
import type { Fault } from '../../../reference-server/faults/fault.js'
import { runStress } from '../../../workshop/stress/run-stress.js'
import { conditionsIn, partIn } from '../../../workshop/stress/stress-flags.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { checkScaleAndSeed } from '../../run/options/scale-and-seed.js'
import { contractMatrix, petstoreMatrix } from '../keystone/matrices.js'
import { runMatrix } from '../keystone/run-matrix.js'
import { givenContract } from '../run/given-contract.js'
import type { faultsSurface } from '../surface/servers.js'
import type { ArgsOf } from '../surface/surface.js'

type Args = ArgsOf<typeof faultsSurface>

const usualAtOnce = 20

/** The windows of a contract are as long as it says, so that its trials load the machine for longer. */
const atOnceOfContract = 6

/** Windows of a minute are too long for so many runs; those of a contract may be of any length. */
const usualTimeScale = (contract: ApiContract | undefined): number => (contract ? 1 : 10)

const listFaults = (listed: readonly Pick<Fault, 'id' | 'breaks' | 'sentence'>[]): void => {
  const width = Math.max(...listed.map(({ id }) => id.length))
  for (const { id, breaks, sentence } of listed) {
    process.stdout.write(`${id.padEnd(width)}  ${breaks.join(', ').padEnd(24)}  ${sentence}\n`)
  }
}

const requireKnown = (ids: readonly string[], contract: ApiContract | undefined): void => {
  const trials = (contract ? contractMatrix(contract) : petstoreMatrix).trials([])
  const known = [...new Set(trials.flatMap(({ id, expected }) => [id, ...expected]))]
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined) return
  const hint = suggestion(unknown, known)
  const list = contract ? 'quotaspec faults --contract FILE' : 'quotaspec faults'
  const told = hint.startsWith('known') ? `${list} lists the faults` : hint
  const what = contract
    ? `fault or variation that means something to ${contract.name}`
    : 'fault or variation, nor a clause that one breaks'
  throw new UsageError(`--id ${unknown}: there is no such ${what}; ${told}`)
}

/** Each trial is a server and a run in a thread of its own. */
const mostAtOnce = 64

const checkArgs = (args: Args, contract: ApiContract | undefined): void => {
  checkScaleAndSeed({ 'time-scale': args['time-scale'] ?? usualTimeScale(contract), seed: args.seed })
  const { 'at-once': atOnce = usualAtOnce } = args
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > mostAtOnce)
    throw new UsageError(`--at-once ${atOnce}: a whole number from 1 to ${mostAtOnce}`)
  requireKnown(args.id, contract)
}

/** Plays the matrix of petstore, or of a contract. */
const run = (args: Args, contract: ApiContract | undefined): Promise<number> => {
  checkArgs(args, contract)
  const { id: ids, seed, write, compare } = args
  return runMatrix({
    matrix: contract ? contractMatrix(contract) : petstoreMatrix,
    ids,
    seed,
    timeScale: args['time-scale'] ?? usualTimeScale(contract),
    atOnce: args['at-once'] ?? (contract ? atOnceOfContract : usualAtOnce),
    write,
    compare,
    say: (line) => process.stdout.write(`${line}\n`),
  })
}

/** Plays the matrix under stress. The exit code is 0 only where nothing is as it must never be, and enough faults are red. */
const runUnder = async (args: Args, under: string): Promise<number> => {
  checkArgs(args, undefined)
  return runStress({
    under: conditionsIn(under),
    ids: args.id,
    part: partIn(args.part),
    seed: args.seed,
    timeScale: args['time-scale'] ?? usualTimeScale(undefined),
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
    .map((fault) => ({ ...fault, breaks: brokenOf(fault, contract) }))

/** Lists the faults that the reference server can be given; with --run, plays them all. */
export const faultsOrMatrix = async (args: Args): Promise<void> => {
  const contract = await givenContract(args)
  if (contract && args.under !== undefined) throw new UsageError('--under plays petstore: leave --contract out')
  if (!args.run) return listFaults(contract ? faultsAgainst(contract) : faults)
  process.exitCode = await (args.under === undefined ? run(args, contract) : runUnder(args, args.under))
}
