import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../../kit/usage-error.js'
import { configName } from '../../run/options/config-use.js'
import type { Configuration } from '../../run/options/load-config.js'

/** The flags that say which configuration is meant. `config` is false for `--no-config`. */
export interface ConfigFlags {
  readonly config?: string | false
  readonly env?: string
  readonly contract?: string
}

/** The file that is meant; undefined where there is none, or none is wanted. */
const fileOf = ({ config, env, contract }: ConfigFlags): string | undefined => {
  if (typeof config === 'string') return config
  // A contract may have that name too: then it is no configuration.
  const isContract = contract !== undefined && resolve(contract) === resolve(configName)
  if (config !== false && !isContract && existsSync(configName)) return configName
  if (env === undefined) return undefined
  const why = config === false ? '--no-config leaves out the file that would say it' : `there is no ${configName} here`
  throw new UsageError(`--env ${env}: ${why}; name another file with --config FILE`)
}

/**
 * The configuration that flags mean: that of `--config FILE`, or `quotaspec.yaml` in the working directory. Undefined
 * where there is none. Throws a {@link UsageError} where it can't be used.
 */
export const findConfig = async (flags: ConfigFlags): Promise<Configuration | undefined> => {
  const file = fileOf(flags)
  if (file === undefined) return undefined
  const { loadConfig } = await import('../../run/options/load-config.js')
  return loadConfig(file, flags.env)
}
