import { departuresFor } from '../../../reference-server/faults/catalogue.js'
import { exitCodes } from '../../assembly/exit-code.js'
import type { ArgsOf } from '../flags/command.js'
import type { serverCommands } from '../flags/servers.js'
import { givenContract } from '../run/given-contract.js'

type Args = ArgsOf<typeof serverCommands.faults>

/** The reference server's faults, one per line; with a contract, those of its server with its clauses. */
export const faultsText = async (given: Pick<Partial<Args>, 'contract'>): Promise<string> => {
  const { faults } = departuresFor(await givenContract(given))
  const width = Math.max(...faults.map(({ id }) => id.length))
  return faults
    .map(({ id, breaks, sentence }) => `${id.padEnd(width)}  ${breaks.join(', ').padEnd(24)}  ${sentence}`)
    .join('\n')
}

export const faultsOrMatrix = async (args: Args): Promise<void> => {
  if (!args.run) {
    process.stdout.write(`${await faultsText(args)}\n`)
    return
  }
  const contract = await givenContract(args)
  const { id: ids, seed = 1, 'time-scale': timeScale, 'at-once': atOnce } = args
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const { playMatrix } = await import('../keystone/keystone.js')
  const { isRight } = await playMatrix({ contract, ids, seed, timeScale, atOnce, say })
  process.exitCode = isRight ? exitCodes.pass : exitCodes.fail
}
