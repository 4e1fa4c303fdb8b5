import { randomBytes } from 'node:crypto'
import type { CommandModule } from 'yargs'
import { startReferenceServer } from '../../../reference-server/server.js'
import { planNames } from '../../contract/plans.js'
import { runScenario } from './run.js'

const timeScale = 10
const enterprise = { minute: 300, day: 5_000 }

/** Runs the release gate against a reference server of its own, on all four plans, at a time scale. */
export const demoCommand: CommandModule = {
  command: 'demo',
  describe: 'Run the release gate against the reference server',
  handler: async () => {
    const keys = planNames.map((plan) => ({ plan, secret: `demo-${plan}-${randomBytes(12).toString('hex')}` }))
    const server = await startReferenceServer({ keys, quotas: { enterprise }, timeScale, port: 0 })
    for (const { plan, secret } of keys) process.env[`QUOTASPEC_KEY_${plan.toUpperCase()}`] = secret
    try {
      process.exitCode = await runScenario({
        scenario: 'release-gate',
        target: server.url,
        key: [],
        quota: [`enterprise=minute:${enterprise.minute},day:${enterprise.day}`],
        'time-scale': timeScale,
        out: 'reports/latest',
        only: [],
        skip: [],
        strict: false,
        'read-only': false,
        'allow-load': false,
        seed: undefined,
      })
    } finally {
      await server.close()
    }
  },
}
