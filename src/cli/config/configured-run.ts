import type { ApiContract } from '../../contract/api-contract.js'
import type { ConfigUse } from '../../run/options/config-use.js'
import type { GivenFlags, RunFlags } from '../../run/options/run-flags.js'
import { withPlace } from '../../run/options/settings-as-flags.js'
import { givenContract } from '../run/given-contract.js'
import { type ConfigFlags, findConfig } from './find-config.js'
import { type MissingKey, missingInWords, takePlanKeys, withKeyVariables } from './key-variables.js'
import { settleFlags } from './settle-flags.js'

/** What a command that plays or plans a run goes by. */
export interface ConfiguredRun<T> {
  readonly flags: T & RunFlags & { readonly scenario: string }
  /** The contract that the target is held to; undefined: the bundled one. */
  readonly contract: ApiContract | undefined
  /** The keys that the configuration file names and nobody set. */
  readonly missing: readonly MissingKey[]
}

const withKeys = (contract: ApiContract | undefined, use: ConfigUse | undefined) => {
  if (!use) return { contract, missing: [] }
  return contract
    ? { contract: withKeyVariables(contract, use), missing: [] }
    : { contract, missing: takePlanKeys(process.env, use) }
}

/**
 * Settles flags, configuration file, contract and keys, and hands them on. What was taken from the file is told on
 * standard error. An error of a flag that nobody typed names the line of the file that says the same.
 */
export const withConfiguration = async <T extends GivenFlags & ConfigFlags, R>(
  given: T,
  use: (run: ConfiguredRun<T>) => Promise<R>,
): Promise<R> => {
  const from = await findConfig(given)
  try {
    const flags = settleFlags(given, from)
    const { contract, missing } = withKeys(await givenContract(flags), flags.configUse)
    const remarks = [...(flags.configUse?.remarks ?? []), ...missing.map(missingInWords)]
    if (!given.quiet) for (const each of remarks) process.stderr.write(`note: ${each}\n`)
    const configUse = flags.configUse && { ...flags.configUse, remarks }
    return await use({ flags: { ...flags, ...(configUse && { configUse }) }, contract, missing })
  } catch (error) {
    throw withPlace(error, from, given)
  }
}
