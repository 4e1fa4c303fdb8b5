import { randomBytes } from 'node:crypto'
import type { CommandModule, InferredOptionTypes } from 'yargs'
import { startReferenceServer } from '../../../reference-server/server.js'
import { planNames } from '../../contract/plans.js'
import { runScenario } from './run.js'

const timeScale = 10
const enterprise = { minute: 300, day: 5_000 }

const options = {
  fault: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'What the server is to do wrong; see quotaspec faults',
  },
  out: { type: 'string', default: 'reports/latest', describe: 'Folder for the journal and the reports' },
  seed: { type: 'number', describe: 'Repeats the random choices of a run' },
} as const

type Args = InferredOptionTypes<typeof options>

/** Runs the release gate against a reference server of its own, on all four plans, at a time scale. */
export const demoCommand: CommandModule<object, Args> = {
  command: 'demo',
  describe: 'Run the release gate against the reference server',
  builder: (yargs) => yargs.options(options) as never,
  handler: async ({ fault, out, seed }) => {
    const keys = planNames.map((plan) => ({ plan, secret: `demo-${plan}-${randomBytes(12).toString('hex')}` }))
    const server = await startReferenceServer({ keys, quotas: { enterprise }, timeScale, port: 0, faults: fault })
    for (const { plan, secret } of keys) process.env[`QUOTASPEC_KEY_${plan.toUpperCase()}`] = secret
    try {
      process.exitCode = await runScenario({
        scenario: 'release-gate',
        target: server.url,
        key: [],
        quota: [`enterprise=minute:${enterprise.minute},day:${enterprise.day}`],
        'time-scale': timeScale,
        out,
        only: [],
        skip: [],
        strict: false,
        'read-only': false,
        'allow-load': false,
        seed,
      })
    } finally {
      await server.close()
    }
  },
}
