import { parseWanted } from '../../agents/gathering.js'
import { UsageError } from '../../kit/usage-error.js'
import { flagOf } from '../../run/options/command-of-run.js'
import { parseEnterpriseQuota, typedKeys } from '../../run/options/keys.js'
import { runOptionsSchema } from '../../run/options/run-options.js'
import type { OptionSource } from '../../run/options/settle-options.js'
import type { ValuesOf } from '../flags/command.js'
import type { runOptions } from './run-options.js'

/** What was typed behind `run` or `plan` of the run itself; what was not typed is undefined or absent. */
export type RunArgs = Partial<ValuesOf<typeof runOptions>> & { readonly scenario?: string }

/** The flags that have a run's loads sent by agents. */
export type FleetArgs = Pick<RunArgs, 'agents' | 'redis' | 'agents-within'>

/** What was typed for options of those names, below that one: an option is called as its flag. */
const typed = (args: RunArgs, names: readonly string[], ...below: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, (args as Readonly<Record<string, unknown>>)[flagOf([...below, name])]]))

/** What the flags of a command line say of a run. Throws a {@link UsageError} where one can't be read. */
export const flagSource = (args: RunArgs): OptionSource => {
  const alone =
    args.agents === undefined && (['redis', 'agents-within'] as const).find((flag) => args[flag] !== undefined)
  if (alone)
    throw new UsageError(`--${alone} works only with --agents: add --agents eu=2, with the groups that you have`)
  return {
    values: {
      ...typed(args, Object.keys(runOptionsSchema.shape)),
      timeouts: typed(args, ['connect', 'head', 'body', 'run'], 'timeouts'),
      keys: args.key && typedKeys(args.key),
      quotas: { enterprise: parseEnterpriseQuota(args.quota ?? []) },
      agents: args.agents === undefined ? undefined : parseWanted(args.agents),
    },
    nameOf: (path) => `--${flagOf(path.filter((step) => typeof step === 'string'))}`,
  }
}
