import type { ApiContract } from '../../contract/api-contract.js'
import { planNames } from '../../contract/plans.js'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import type { ConfigUse } from '../../run/options/config-use.js'

const checkNames = ({ file, keys }: ConfigUse, known: readonly string[], what: string): void => {
  const unknown = Object.keys(keys).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new UsageError(`${file}: keys.${unknown}: ${what} ${unknown}: ${suggestion(unknown, known)}`)
}

/** A key that a configuration names, and whose variable is not set. */
export interface MissingKey {
  readonly plan: string
  readonly variable: string
  readonly file: string
}

/** Says so in a sentence without an end, to be noted or to be gone on with. */
export const missingInWords = ({ plan, variable, file }: MissingKey): string =>
  `${plan} has no key from the environment: ${variable}, which ${file} names, is not set`

/**
 * Puts the key of each plan that a configuration names into the variable where every key of that plan is looked for, and
 * hidden from what is printed. Where the variable that was named is not set there is none: the key of another environment
 * never stands in for it. Gives those. Throws a {@link UsageError} where a name is no plan.
 */
export const takePlanKeys = (environment: NodeJS.ProcessEnv, use: ConfigUse): MissingKey[] => {
  checkNames(use, planNames, 'there is no plan')
  // All are read before one is put down: a file may name the usual variables too, in another order.
  const named = Object.entries(use.keys).map(([plan, variable]) => ({ plan, variable, secret: environment[variable] }))
  return named.flatMap(({ plan, variable, secret }) => {
    const usualName = `QUOTASPEC_KEY_${plan.toUpperCase()}`
    delete environment[usualName]
    if (secret) environment[usualName] = secret
    return secret ? [] : [{ plan, variable, file: use.file }]
  })
}

/**
 * Throws a {@link UsageError} where the configuration names a key that nobody set: a pipeline whose secret got lost would
 * pass on what is left. A key that is given by a flag, or may be in a key file, stands in for it.
 */
export const refuseMissingKeys = (
  missing: readonly MissingKey[],
  { key, 'key-file': file }: { readonly key: readonly string[]; readonly 'key-file'?: string },
): void => {
  const given = key.map((each) => each.split('=')[0])
  const [first] = missing.filter(({ plan }) => !given.includes(plan))
  if (first !== undefined && file === undefined)
    throw new UsageError(`${missingInWords(first)}: set it, or take it out of keys, so that this plan is not tested`)
}

/** The contract with the variables that a configuration names in place of its own. Throws a {@link UsageError} alike. */
export const withKeyVariables = (contract: ApiContract, use: ConfigUse): ApiContract => {
  checkNames(use, Object.keys(contract.credentials), `the contract ${contract.name} has no credential`)
  const credentials = Object.entries(contract.credentials).map(([name, spec]) => {
    const env = Object.hasOwn(use.keys, name) ? use.keys[name] : spec.env
    return [name, { ...spec, ...(env !== undefined && { env }) }] as const
  })
  return { ...contract, credentials: Object.fromEntries(credentials) }
}
