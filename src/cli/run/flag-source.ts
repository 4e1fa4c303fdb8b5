import { parseWanted } from '../../agents/gathering.js'
import { UsageError } from '../../kit/usage-error.js'
import { flagOf } from '../../run/options/command-of-run.js'
import { parseEnterpriseQuota, typedKeys } from '../../run/options/keys.js'
import type { OptionSource } from '../../run/options/settle-options.js'
import type { ValuesOf } from '../flags/command.js'
import type { configOptions, runOptions } from './run-options.js'

/** What was typed behind `run` or `plan` of the run itself; what was not typed is undefined or absent. */
export type RunArgs = Partial<ValuesOf<typeof runOptions>> & { readonly scenario?: string }

/** The flags that say which configuration is meant. `config` is false for `--no-config`. */
export type ConfigArgs = Partial<Pick<ValuesOf<typeof configOptions>, 'env'>> & {
  readonly config?: string | false
}

/** The flags that have a run's loads sent by agents. */
export type FleetArgs = Pick<RunArgs, 'agents' | 'redis' | 'agents-within'>

const mostWithinSeconds = 3_600

const refuseFleet = ({ agents, redis, 'agents-within': within }: FleetArgs): void => {
  if (agents === undefined && redis !== undefined)
    throw new UsageError('--redis is where the agents are: add --agents eu=2, with yours')
  if (agents === undefined && within !== undefined)
    throw new UsageError('--agents-within is for --agents: add --agents eu=2, with yours')
  if (within !== undefined && !(within >= 1 && within <= mostWithinSeconds))
    throw new UsageError(`--agents-within has to be seconds, from 1 to ${mostWithinSeconds}: 60 is a minute`)
}

const timeoutsOf = (args: RunArgs): OptionSource['values']['timeouts'] => ({
  connect: args['connect-timeout'],
  head: args['head-timeout'],
  body: args['body-timeout'],
  run: args['time-limit'],
})

/** What the flags of a command line say of a run. Throws a {@link UsageError} where one can't be read. */
export const flagSource = (args: RunArgs): OptionSource => {
  refuseFleet(args)
  return {
    values: {
      target: args.target,
      contract: args.contract,
      scenario: args.scenario,
      keys: args.key && typedKeys(args.key),
      keyFile: args['key-file'],
      quotas: { enterprise: parseEnterpriseQuota(args.quota ?? []) },
      out: args.out,
      strict: args.strict,
      only: args.only,
      skip: args.skip,
      with: args.with,
      waivers: args.waivers,
      allowLoad: args['allow-load'],
      withoutLoad: args['without-load'],
      readOnly: args['read-only'],
      withoutRejectedKeys: args['without-rejected-keys'],
      longWindows: args['long-windows'],
      timeouts: timeoutsOf(args),
      ca: args.ca,
      insecure: args.insecure,
      timeScale: args['time-scale'],
      seed: args.seed,
      agents: args.agents === undefined ? undefined : parseWanted(args.agents),
    },
    nameOf: (path) => `--${flagOf(path.filter((step) => typeof step === 'string'))}`,
  }
}
