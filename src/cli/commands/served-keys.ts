import { randomBytes } from 'node:crypto'
import type { ApiContract } from '../../contract/api-contract.js'
import { type PlanName, planNames, type Quota } from '../../contract/plans.js'
import { givenKeys, secretsOf, typedKeys } from '../../run/options/keys.js'

/** What the server of a contract lets in. */
interface ContractSecrets {
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

/** The keys that a server of petstore lets in. */
interface PetstoreKeys {
  readonly keys: readonly { readonly plan: PlanName; readonly secret: string }[]
  /** Whether nobody said any, so that they were made up. */
  readonly isMadeUp: boolean
}

/** Finds the keys in flags and environment; where there is none at all, makes one up for each plan. */
export const petstoreKeys = (
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  enterprise: Quota,
): PetstoreKeys => {
  const given = givenKeys(typedKeys(flags), environment, enterprise)
  if (given.length > 0) return { keys: given.map(({ plan, secret }) => ({ plan, secret })), isMadeUp: false }
  const keys = planNames.map((plan) => ({ plan, secret: `${plan}-${randomBytes(12).toString('hex')}` }))
  return { keys, isMadeUp: true }
}

/** What has to be known to use a server. */
interface Served {
  readonly url: string
  readonly timeScale: number
  readonly enterprise: Quota
  /** The words that start this program. */
  readonly program: string
  /** Whether other servers count in the same place. */
  readonly isShared: boolean
}

/** What to type to use the keys that were made up, in lines. */
export const howToUse = (keys: PetstoreKeys['keys'], served: Served): string[] => {
  const { url, timeScale, enterprise, program, isShared } = served
  const scale = timeScale === 1 ? '' : ` --time-scale ${timeScale}`
  return [
    'No key was given, so one was made up for each plan. To use them:',
    ...keys.map(({ plan, secret }) => `  export QUOTASPEC_KEY_${plan.toUpperCase()}=${secret}`),
    `  ${program} run smoke --target ${url}${scale} --quota enterprise=minute:${enterprise.minute},day:${enterprise.day}`,
    ...(isShared ? ['Another server that shares the store has to be given the same keys: --key PLAN=SECRET'] : []),
  ]
}
