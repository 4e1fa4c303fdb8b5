import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { ApiContract } from '../../contract/api-contract.js'
import {
  fixedQuotas,
  type KeyQuota,
  keyQuotaOf,
  noLongerLimit,
  type PlanName,
  planNames,
  type Quota,
} from '../../contract/plans.js'
import { canHide } from '../../evidence/redaction.js'
import { UsageError, whyOf } from '../../kit/usage-error.js'
import type { GivenSecret } from './run-options.js'

const known = new Set<string>()

/** Keeps a secret out of all later output; for secrets whose variable is known only from a file or a contract. */
export const keepSecret = (secret: string): void => {
  if (secret !== '') known.add(secret)
}

export const knownSecrets = (): readonly string[] => [...known]

export interface GivenKey<Plan extends string = string> {
  /** `free`, or `free-2` for the plan's second key. */
  readonly name: string
  readonly plan: Plan
  readonly quota: KeyQuota
  readonly secret: string
  /** The environment variable that held it; null if a flag or a file gave it. */
  readonly variable: string | null
}

/** Reads `free=SECRET`. A text without a name before `=` gets the name '', which no plan has. */
export const typedKeys = (texts: readonly string[]): GivenSecret[] =>
  texts.map((text) => {
    const at = text.indexOf('=')
    return { name: text.slice(0, Math.max(0, at)), secret: text.slice(at + 1) }
  })

const planOf = ({ name, secret }: GivenSecret): { readonly plan: PlanName; readonly secret: string } => {
  const plan = planNames.find((each) => each === name)
  if (plan !== undefined) return { plan, secret }
  throw new UsageError(
    `--key takes PLAN=SECRET, for example --key free=YOUR-KEY; the plans are ${planNames.join(', ')}`,
  )
}

/** The fewest characters of a secret: a shorter one could not be hidden in the report. */
const shortest = 5

/** Throws if a secret can't be hidden in the report or can't be sent. AUTH-4 also sends a key's beginning. */
const checkSecret = (secret: string, what: string, { isPetstore }: { readonly isPetstore: boolean }): void => {
  if (!canHide(secret, shortest) || (isPetstore && !canHide(secret.slice(0, -1))))
    throw new UsageError(`${what} is shorter than ${shortest} characters, too short to be kept out of the report`)
  const form = isPetstore ? /^[\x21-\x7e]+$/ : /^[\x20-\x7e]+$/
  if (!form.test(secret))
    throw new UsageError(
      `${what} contains ${isPetstore ? 'a space, ' : ''}a control character or a non-ASCII character, which no header can carry: check its quotes`,
    )
}

/** Reads `enterprise=minute:300,day:5000`. */
export const parseEnterpriseQuota = (texts: readonly string[]): Quota | undefined => {
  const quotas = texts.map((text) => {
    const match = /^(\w+)=minute:(\d+),day:(\d+)$/.exec(text)
    if (!match) throw new UsageError(`--quota ${text}: type the agreed numbers, as in enterprise=minute:300,day:5000`)
    const [, plan, minute, day] = match
    if (plan !== 'enterprise') {
      throw new UsageError(
        `--quota ${text}: only Enterprise has agreed limits; those of ${Object.keys(fixedQuotas).join(', ')} are fixed`,
      )
    }
    if (Number(minute) < 1 || Number(day) < 1) throw new UsageError(`--quota ${text}: a limit must be at least 1`)
    return { minute: Number(minute), day: Number(day) }
  })
  return quotas.at(-1)
}

/** `mixed` if upper case follows lower case: such keys are case-sensitive. Undefined without letters. */
export const letterCaseOf = (secret: string): 'mixed' | 'plain' | undefined => {
  if (!/[a-z]/i.test(secret)) return undefined
  return /[a-z][a-z0-9]*[A-Z]/.test(secret) ? 'mixed' : 'plain'
}

/** The environment variable that holds a plan's key, unless a configuration names another. */
const usualVariable = (plan: PlanName): string => `QUOTASPEC_KEY_${plan.toUpperCase()}`

/** The given keys, then those from the environment; `variables` names variables other than the usual ones. */
export const givenKeys = (
  given: readonly GivenSecret[],
  environment: NodeJS.ProcessEnv,
  enterprise: Quota | undefined,
  variables: Readonly<Record<string, string>> = {},
): GivenKey<PlanName>[] => {
  const named = given.map((each) => ({ ...planOf(each), variable: null }))
  const fromEnvironment = planNames.flatMap((plan) => {
    const variable = Object.hasOwn(variables, plan) ? variables[plan] : usualVariable(plan)
    const secret = environment[variable]
    if (!secret || named.some((key) => key.plan === plan)) return []
    if (variable !== usualVariable(plan)) keepSecret(secret)
    return [{ plan, secret, variable }]
  })
  const all = [...named, ...fromEnvironment]
  const seen = new Map<PlanName, number>()
  const twice = all.find((key, index) => all.findIndex(({ secret }) => secret === key.secret) !== index)
  if (twice)
    throw new UsageError(
      `the same key was given twice, the second time for ${twice.plan}: give each plan a key of its own`,
    )
  return all.map(({ plan, secret, variable }) => {
    checkSecret(secret, `the ${plan} key`, { isPetstore: true })
    const number = (seen.get(plan) ?? 0) + 1
    seen.set(plan, number)
    const quota = plan === 'enterprise' ? enterprise : fixedQuotas[plan]
    if (!quota) {
      throw new UsageError(
        'an Enterprise key needs its agreed limits: add --quota enterprise=minute:300,day:5000, with your numbers',
      )
    }
    return { name: number === 1 ? plan : `${plan}-${number}`, plan, quota: keyQuotaOf(quota), secret, variable }
  })
}

/** Secrets by credential. Throws a {@link UsageError} if the contract has no credential of that name. */
export const secretsOf = (given: readonly GivenSecret[], contract: ApiContract): ReadonlyMap<string, string> =>
  new Map(
    given.map(({ name, secret }): [string, string] => {
      if (!Object.hasOwn(contract.credentials, name)) {
        const names = Object.keys(contract.credentials).join(', ')
        throw new UsageError(`--key takes CREDENTIAL=SECRET; the contract's credentials are ${names}`)
      }
      return [name, secret]
    }),
  )

/** The contract's credentials that were given. Throws a {@link UsageError} if there are none, or one can't be hidden. */
const givenCredentials = (
  contract: ApiContract,
  given: readonly GivenSecret[],
  environment: NodeJS.ProcessEnv,
): GivenKey[] => {
  const named = secretsOf(given, contract)
  const found = Object.entries(contract.credentials).flatMap(([name, { scheme, env = '' }]): GivenKey[] => {
    const limits = contract.quotas.flatMap(({ limit }) => limit[name] ?? [])
    const facts = { name, plan: name, quota: { limit: Math.max(1, ...limits), longer: noLongerLimit } }
    if (scheme === 'none') return [{ ...facts, secret: '', variable: null }]
    const secret = named.get(name) ?? environment[env]
    if (!secret) return []
    keepSecret(secret)
    checkSecret(secret, `${env}: the secret of ${name}`, { isPetstore: false })
    return [{ ...facts, secret, variable: named.has(name) ? null : env }]
  })
  if (found.length > 0) return found
  const wanted = Object.values(contract.credentials).flatMap(({ env }) => env ?? [])
  throw new UsageError(`no credential of ${contract.name} was given: set ${wanted.join(', ')} in the environment`)
}

/** The keys for a run: a contract's credentials or, without a contract, the Petstore's keys with their agreed quotas. */
export const keysAtHand = (
  contract: ApiContract | undefined,
  ...[given, environment, ...petstore]: Parameters<typeof givenKeys>
): GivenKey[] =>
  contract ? givenCredentials(contract, given, environment) : givenKeys(given, environment, ...petstore)

const mostKeyFileBytes = 64 * 1024
const lineForm = new RegExp(`^(?:${planNames.join('|')})=.`)

/** The keys of a file, one PLAN=SECRET a line. Throws a {@link UsageError} that never repeats a secret. */
export const readKeyFile = (path: string | undefined, name = '--key-file'): GivenSecret[] => {
  if (path === undefined) return []
  let text: string
  try {
    if (statSync(path).size > mostKeyFileBytes) throw new Error(`it is larger than ${mostKeyFileBytes / 1024} KiB`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${name} ${path} can't be read: ${whyOf(error)}`)
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return lines.flatMap((line, index) => {
    const key = line.trim()
    if (key === '' || key.startsWith('#')) return []
    if (lineForm.test(key)) return typedKeys([key])
    throw new UsageError(`${path}:${index + 1}: a line must be PLAN=SECRET; the plans are ${planNames.join(', ')}`)
  })
}

/** One byte of a key's hash: it detects most wrong keys, and reveals too little to guess the right one. */
export const keyMark = (secret: string): number =>
  createHash('sha256').update(`quotaspec key mark\0${secret}`).digest()[0]
