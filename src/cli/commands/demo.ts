import { randomBytes } from 'node:crypto'
import { requireDepartures } from '../../../reference-server/faults/catalogue.js'
import { startReferenceServer } from '../../../reference-server/petstore-app.js'
import { planNames } from '../../contract/plans.js'
import { programSource, settleOptions } from '../../run/options/settle-options.js'
import type { ArgsOf } from '../flags/command.js'
import type { serverCommands } from '../flags/servers.js'
import { runScenario } from './run.js'

const timeScale = 10
const enterprise = { minute: 300, day: 5_000 }

/** Runs the release gate against its own reference server, on all four plans, at a time scale. */
export const demo = async ({ fault, out, seed, open }: ArgsOf<typeof serverCommands.demo>): Promise<void> => {
  requireDepartures({ fault, variation: [] })
  const keys = planNames.map((plan) => ({ plan, secret: `demo-${plan}-${randomBytes(12).toString('hex')}` }))
  const server = await startReferenceServer({ keys, quotas: { enterprise }, timeScale, port: 0, faults: fault })
  for (const { plan, secret } of keys) process.env[`QUOTASPEC_KEY_${plan.toUpperCase()}`] = secret
  try {
    const settled = settleOptions([programSource({ target: server.url, quotas: { enterprise }, timeScale, out, seed })])
    process.exitCode = await runScenario({ open }, settled)
  } finally {
    await server.close()
  }
}
