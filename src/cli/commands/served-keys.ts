import { randomBytes } from 'node:crypto'
import type { ApiContract } from '../../contract/api-contract.js'
import { planNames, type Quota } from '../../contract/plans.js'
import { present } from '../../kit/words.js'
import { givenKeys, secretsOf, typedKeys } from '../../run/options/keys.js'

/**
 * What the server of a contract lets in: the secrets in flags and in the variables that the contract names; those that are not
 * there are made up, each with a hint, a line of a shell that sets its variable.
 */
export const contractSecrets = (contract: ApiContract, flags: readonly string[], environment: NodeJS.ProcessEnv) => {
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

/** Finds the keys in flags and environment; where there is none at all, makes one up for each plan. */
export const petstoreKeys = (flags: readonly string[], environment: NodeJS.ProcessEnv, enterprise: Quota) => {
  const given = givenKeys(typedKeys(flags), environment, enterprise)
  if (given.length > 0) return { keys: given.map(({ plan, secret }) => ({ plan, secret })), isMadeUp: false }
  const keys = planNames.map((plan) => ({ plan, secret: `${plan}-${randomBytes(12).toString('hex')}` }))
  return { keys, isMadeUp: true }
}

/**
 * What to type to use the keys that were made up, in lines.
 *
 * @param program the words that start this program.
 * @param isShared whether other servers count in the same place.
 */
export const howToUse = (
  keys: ReturnType<typeof petstoreKeys>['keys'],
  served: Record<'url' | 'program', string> & { timeScale: number; enterprise: Quota; isShared: boolean },
): string[] => {
  const { url, timeScale, enterprise, program, isShared } = served
  const scale = timeScale === 1 ? '' : ` --time-scale ${timeScale}`
  return present(
    'No key was given, so one was made up for each plan. To use them:',
    ...keys.map(({ plan, secret }) => `  export QUOTASPEC_KEY_${plan.toUpperCase()}=${secret}`),
    `  ${program} run smoke --target ${url}${scale} --quota enterprise=minute:${enterprise.minute},day:${enterprise.day}`,
    isShared && 'Another server that shares the store has to be given the same keys: --key PLAN=SECRET',
  )
}
