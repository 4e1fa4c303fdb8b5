import { contractFaults, faults } from '../../../reference-server/faults/catalogue.js'
import { brokenOf, type Fault } from '../../../reference-server/faults/fault.js'
import { exitCodes } from '../../assembly/exit-code.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { ArgsOf } from '../flags/command.js'
import type { faultsSurface } from '../flags/servers.js'
import { givenContract } from '../run/given-contract.js'

type Args = ArgsOf<typeof faultsSurface>

const listFaults = (listed: readonly Pick<Fault, 'id' | 'breaks' | 'sentence'>[]): void => {
  const width = Math.max(...listed.map(({ id }) => id.length))
  for (const { id, breaks, sentence } of listed) {
    process.stdout.write(`${id.padEnd(width)}  ${breaks.join(', ').padEnd(24)}  ${sentence}\n`)
  }
}

/** The faults of a server that should keep this contract, with the clauses of it that they break. */
const faultsAgainst = (contract: ApiContract) =>
  contractFaults
    .filter(({ appliesTo }) => appliesTo(contract))
    .map((fault) => ({ ...fault, breaks: brokenOf(fault, contract) }))

/** Lists the faults that the reference server can be given; with --run, plays them all. */
export const faultsOrMatrix = async (args: Args): Promise<void> => {
  const contract = await givenContract(args)
  if (!args.run) return listFaults(contract ? faultsAgainst(contract) : faults)
  const { id: ids, seed, 'time-scale': timeScale, 'at-once': atOnce } = args
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const { playMatrix } = await import('../keystone/keystone.js')
  const { isRight } = await playMatrix({ contract, ids, seed, timeScale, atOnce, say })
  process.exitCode = isRight ? exitCodes.pass : exitCodes.fail
}
