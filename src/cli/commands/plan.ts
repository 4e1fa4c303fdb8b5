import { prepareRun } from '../../run/options/prepare-run.js'
import { type ConfiguredArgs, configuredRun } from '../run/configured-run.js'
import { planTable } from '../run/plan-table.js'

/** Says what a run would send on which key, and how long it takes. Sends nothing. */
export const plan = async (args: ConfiguredArgs): Promise<void> => {
  const { settled, contract } = await configuredRun(args)
  process.stdout.write(`${planTable(prepareRun(settled, process.env, contract))}\n`)
}
