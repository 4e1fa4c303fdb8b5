import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseWanted } from '../../agents/fleet.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { planNames } from '../../contract/plans.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { flagOf } from '../../run/options/command-of-run.js'
import type { Configuration } from '../../run/options/config-file.js'
import { parseEnterpriseQuota, typedKeys } from '../../run/options/keys.js'
import { runOptionsSchema } from '../../run/options/run-options.js'
import { type OptionSource, type SettledOptions, settleOptions } from '../../run/options/settle-options.js'
import type { ValuesOf } from '../flags/command.js'
import { configName, type configOptions, type runOptions } from '../flags/runs.js'
import { givenContract } from './given-contract.js'

/** A run's own flags, typed after `run` or `plan`; undefined or absent if not typed. */
export type RunArgs = Partial<ValuesOf<typeof runOptions>> & { readonly scenario?: string }

export type FleetArgs = Pick<RunArgs, 'agents' | 'redis' | 'agents-within'>

/** The typed values of these options (below a parent option), found by their flags' names. */
const typed = (args: RunArgs, names: readonly string[], ...below: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, (args as Readonly<Record<string, unknown>>)[flagOf([...below, name])]]))

/** The run options in a command line's flags. Throws a {@link UsageError} if one can't be read. */
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

/** The flags that choose a configuration. `config` is false for `--no-config`. */
type ConfigArgs = Partial<Pick<ValuesOf<typeof configOptions>, 'env'>> & {
  readonly config?: string | false
}

/** The flags of a command that plays or plans a run. */
export type ConfiguredArgs = RunArgs & ConfigArgs & { readonly resume?: string; readonly quiet?: boolean }

const fileOf = ({ config, env, contract = '' }: ConfiguredArgs): string | undefined => {
  if (typeof config === 'string') return config
  // If the contract has that name, it is no configuration.
  const isContract = resolve(contract) === resolve(configName)
  if (config !== false && !isContract && existsSync(configName)) return configName
  if (env === undefined) return undefined
  const why =
    config === false ? '--no-config leaves out the file that would define it' : `there is no ${configName} here`
  throw new UsageError(`--env ${env}: ${why}; name another file with --config FILE`)
}

/** The configuration that the flags choose; undefined if there is none. Throws a {@link UsageError} if it can't be used. */
const findConfig = async (args: ConfiguredArgs): Promise<Configuration | undefined> => {
  const name = fileOf(args)
  if (name === undefined) return undefined
  const { loadConfig } = await import('../../run/options/config-file.js')
  const { values, ...config } = loadConfig(name, args.env)
  return {
    ...config,
    file: { ...config.file, isFound: args.config === undefined },
    // A resumed run writes to the folder it began in.
    values: args.resume === undefined ? values : { ...values, out: undefined },
  }
}

const requireTarget = ({ file, environments, values }: Configuration, { target }: RunArgs): void => {
  if (target !== undefined || values.target !== undefined || environments.length === 0) return
  throw new UsageError(
    `${file.file} names no target outside of its environments: choose one with --env ${environments.join(' or --env ')}, or give --target URL`,
  )
}

const checkNames = ({ options, nameOf }: SettledOptions, known: readonly string[], what: string): void => {
  const unknown = Object.keys(options.keyVariables).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new UsageError(`${nameOf('keyVariables', unknown)}: ${what} ${unknown}: ${suggestion(unknown, known)}`)
}

/** A key whose variable a configuration names but nobody set. `told` is a sentence without its end. */
type MissingKey = ReturnType<typeof missingKeys>[number]

/** The plans whose variable is not set: the key of another environment never replaces it. */
export const missingKeys = (settled: SettledOptions, environment: NodeJS.ProcessEnv) => {
  checkNames(settled, planNames, 'there is no plan')
  return Object.entries(settled.options.keyVariables).flatMap(([plan, variable]) => {
    const told = `the plan ${plan} has no key: ${variable}, which ${settled.file?.file.file} names, is not set in the environment`
    return environment[variable] ? [] : [{ plan, told }]
  })
}

/**
 * Throws a {@link UsageError} if the configuration names a key that is not set: otherwise a pipeline that lost a secret
 * would pass with the other keys. A key from a flag, or possibly from a key file, will do instead.
 */
export const refuseMissingKeys = (missing: readonly MissingKey[], { options }: Pick<SettledOptions, 'options'>) => {
  const [first] = missing.filter(({ plan }) => !options.keys.some(({ name }) => name === plan))
  if (first !== undefined && options.keyFile === undefined)
    throw new UsageError(`${first.told}: set it, or remove it from keys to leave this plan out`)
}

/** The contract with the configuration's variables instead of its own. Throws a {@link UsageError} for unknown names. */
export const withKeyVariables = (contract: ApiContract, settled: SettledOptions): ApiContract => {
  checkNames(settled, Object.keys(contract.credentials), `the contract ${contract.name} has no credential`)
  const { keyVariables } = settled.options
  const credentials = Object.entries(contract.credentials).map(([name, spec]) => {
    const env = Object.hasOwn(keyVariables, name) ? keyVariables[name] : spec.env
    return [name, { ...spec, ...(env !== undefined && { env }) }] as const
  })
  return { ...contract, credentials: Object.fromEntries(credentials) }
}

/**
 * Settles flags, configuration file, contract and keys, and says on standard error what was taken from the file. An error
 * names the flag, or the line of the file. `missing`: keys that the file names but nobody set.
 */
export const configuredRun = async (
  args: ConfiguredArgs,
): Promise<{ settled: SettledOptions; contract: ApiContract | undefined; missing: readonly MissingKey[] }> => {
  const config = await findConfig(args)
  if (config) requireTarget(config, args)
  const settled = settleOptions([flagSource(args), ...(config ? [config] : [])])
  const { options, sourceOf, nameOf } = settled
  const where = config && sourceOf('contract') === config ? `${nameOf('contract')}: ` : ''
  const contract = await givenContract({ contract: options.contract as string | undefined }, where)
  const { missing, ...own } = contract
    ? { contract: withKeyVariables(contract, settled), missing: [] }
    : { contract, missing: missingKeys(settled, process.env) }
  const remarks = [...settled.remarks, ...missing.map(({ told }) => told)]
  if (!args.quiet) for (const each of remarks) process.stderr.write(`note: ${each}\n`)
  return {
    settled: { ...settled, remarks, withoutFile: args.config === false },
    ...own,
    missing,
  }
}
