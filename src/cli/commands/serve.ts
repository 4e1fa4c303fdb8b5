import type { CommandModule } from 'yargs'
import { faults } from '../../../reference-server/faults/catalogue.js'
import { type AlgorithmName, algorithmNames } from '../../../reference-server/limiters/algorithms.js'
import { startReferenceServer } from '../../../reference-server/server.js'
import { fixedQuotas } from '../../contract/plans.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { givenKeys, parseEnterpriseQuota } from '../keys/keys.js'

const options = {
  port: { type: 'number', default: 8080, describe: '0 takes a free one' },
  key: { type: 'string', array: true, default: [] as string[], describe: 'PLAN=SECRET' },
  quota: { type: 'string', array: true, default: [] as string[], describe: 'enterprise=minute:300,day:5000' },
  'time-scale': { type: 'number', default: 1, describe: 'Divides every window' },
  algorithm: { choices: algorithmNames, describe: 'How requests are counted' },
  fault: {
    type: 'string',
    array: true,
    default: [] as string[],
    describe: 'A departure from the interface; see quotaspec faults',
  },
} as const

interface Args {
  readonly port: number
  readonly key: string[]
  readonly quota: string[]
  readonly 'time-scale': number
  readonly algorithm?: AlgorithmName
  readonly fault: string[]
}

const checkArgs = (args: Args): void => {
  const ids: readonly string[] = faults.map(({ id }) => id)
  const unknown = args.fault.find((id) => !ids.includes(id))
  if (unknown !== undefined) {
    const hint = suggestion(unknown, ids)
    throw new UsageError(
      `--fault ${unknown}: there is no such fault; ${hint.startsWith('known') ? 'quotaspec faults lists them' : hint}`,
    )
  }
  if (!Number.isInteger(args.port) || args.port < 0 || args.port > 65_535)
    throw new UsageError(`--port ${args.port}: a port from 0 to 65535`)
  if (!(args['time-scale'] > 0))
    throw new UsageError(`--time-scale ${args['time-scale']}: a number above 0; 10 makes a minute last 6 s`)
}

/** Runs the reference server until it is told to stop. */
export const serveCommand: CommandModule<object, Args> = {
  command: 'serve',
  describe: 'Run the reference server',
  builder: (yargs) => yargs.options(options) as never,
  handler: async (args) => {
    checkArgs(args)
    const enterprise = parseEnterpriseQuota(args.quota)
    const keys = givenKeys(args.key, process.env, enterprise ?? { minute: 3_000, day: 200_000 })
    const server = await startReferenceServer({
      keys: keys.map(({ plan, secret }) => ({ plan, secret })),
      quotas: { ...fixedQuotas, ...(enterprise ? { enterprise } : {}) },
      port: args.port,
      timeScale: args['time-scale'],
      algorithm: args.algorithm,
      faults: args.fault,
    })
    process.stdout.write(`listening on ${server.url}\n`)
    const stop = () => {
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error}\n`)
          process.exit(4)
        },
      )
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  },
}
