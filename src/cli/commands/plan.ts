import { prepareRun } from '../../run/options/prepare-run.js'
import type { GivenFlags } from '../../run/options/run-flags.js'
import { withConfiguration } from '../config/configured-run.js'
import type { ConfigFlags } from '../config/find-config.js'
import { planTable } from '../run/plan-table.js'

/** Says what a run would send on which key, and how long it takes. Sends nothing. */
export const plan = async (args: GivenFlags & ConfigFlags): Promise<void> => {
  await withConfiguration(args, async ({ flags, contract }) => {
    const prepared = prepareRun(flags.scenario, flags, process.env, contract)
    process.stdout.write(`${planTable(prepared, flags['allow-load'])}\n`)
  })
}
