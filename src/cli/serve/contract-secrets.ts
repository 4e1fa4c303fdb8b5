import { randomBytes } from 'node:crypto'
import type { ApiContract } from '../../contract/api-contract.js'
import { secretsOf, typedKeys } from '../../run/options/keys.js'

/** What the server of a contract lets in. */
export interface ContractSecrets {
  readonly secrets: Readonly<Record<string, string>>
  /** For each credential of which nobody said the secret: the variable to set, and what to set it to, as a line of a shell. */
  readonly hints: readonly string[]
}

/** Finds the secrets in flags and in the variables that the contract names; makes up those that are not there. */
export const contractSecrets = (
  contract: ApiContract,
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ContractSecrets => {
  const fromFlags = secretsOf(typedKeys(flags), contract)
  const secrets: Record<string, string> = {}
  const hints: string[] = []
  for (const [name, { scheme, env = '' }] of Object.entries(contract.credentials)) {
    if (scheme === 'none') continue
    const given = fromFlags.get(name) ?? environment[env]
    secrets[name] = given || madeUp(name, scheme === 'basic')
    if (!given) hints.push(`export ${env}=${secrets[name]}`)
  }
  return { secrets, hints }
}

/** Nothing in it has a meaning in a shell. */
const madeUp = (name: string, withUser: boolean): string => {
  const word = name.replaceAll(/[^A-Za-z0-9-]/g, '-')
  return `${word}${withUser ? ':' : '-'}${randomBytes(12).toString('hex')}`
}
