import type { CommandModule } from 'yargs'
import { faults } from '../../../reference-server/faults/catalogue.js'

/** Lists the faults that the reference server can be given. */
export const faultsCommand: CommandModule = {
  command: 'faults',
  describe: 'List the faults of the reference server, with the clauses that each breaks',
  handler: () => {
    const width = Math.max(...faults.map(({ id }) => id.length))
    for (const { id, breaks, sentence } of faults) {
      process.stdout.write(`${id.padEnd(width)}  ${breaks.join(', ').padEnd(24)}  ${sentence}\n`)
    }
  },
}
