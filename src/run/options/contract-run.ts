import type { ApiContract } from '../../contract/api-contract.js'
import { noLongerLimit } from '../../contract/key-quota.js'
import { windowOfQuota } from '../../contract/partitions.js'
import { canHide } from '../../evidence/redaction/redaction.js'
import { formatDuration } from '../../kit/duration.js'
import { UsageError } from '../../kit/usage-error.js'
import { otherRequests } from '../../probes/profiles/other-requests.js'
import type { ScheduledProbe } from '../plan/budget.js'
import { quotaProbes } from '../plan/probe-registry.js'
import type { GivenKey } from './keys.js'
import { keepSecret } from './known-secrets.js'

/** Windows of this length and more are spent only where that is asked for. */
const longWindowMs = 3_600_000

/** A secret that is shorter could not be kept out of the report. */
const shortest = 5

const checked = (name: string, env: string, secret: string): string => {
  if (!canHide(secret, shortest)) {
    throw new UsageError(
      `${env}: the secret of ${name} is shorter than ${shortest} characters: it could not be kept out of the report`,
    )
  }
  if (!/^[\x20-\x7e]+$/.test(secret)) {
    throw new UsageError(
      `${env}: the secret of ${name} holds a control or a non-ASCII character, which no header can carry: check how it was quoted`,
    )
  }
  return secret
}

/** Secrets by credential, from `--key free=SECRET`: these go before the environment. */
export const flagged = (flags: readonly string[], contract: ApiContract): ReadonlyMap<string, string> =>
  new Map(
    flags.map((text): [string, string] => {
      const at = text.indexOf('=')
      const name = text.slice(0, Math.max(0, at))
      if (!Object.hasOwn(contract.credentials, name)) {
        const names = Object.keys(contract.credentials).join(', ')
        throw new UsageError(`--key takes CREDENTIAL=SECRET, where the contract has the credentials ${names}`)
      }
      return [name, text.slice(at + 1)]
    }),
  )

/**
 * The credentials of a contract that are at hand, from flags and from the variables that it names. Throws a
 * {@link UsageError} where there is none, or one could not be kept out of a report.
 */
export const givenCredentials = (
  contract: ApiContract,
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GivenKey[] => {
  const fromFlags = flagged(flags, contract)
  const found = Object.entries(contract.credentials).flatMap(([name, { scheme, env = '' }]): GivenKey[] => {
    const limits = contract.quotas.flatMap(({ limit }) => limit[name] ?? [])
    const facts = { name, plan: name, quota: { limit: Math.max(1, ...limits), longer: noLongerLimit } }
    if (scheme === 'none') return [{ ...facts, secret: '', variable: null }]
    const secret = fromFlags.get(name) ?? environment[env]
    if (!secret) return []
    keepSecret(secret)
    return [{ ...facts, secret: checked(name, env, secret), variable: fromFlags.has(name) ? null : env }]
  })
  if (found.length > 0) return found
  const wanted = Object.values(contract.credentials).flatMap(({ env }) => env ?? [])
  throw new UsageError(`no credential of ${contract.name} was given: set ${wanted.join(', ')} in the environment`)
}

/** What stays out of a run by its contract, in sentences: credentials that are not at hand, and windows that are too long. */
export const leftOutByContract = (
  contract: ApiContract,
  keys: readonly GivenKey[],
  { timeScale, longWindows }: { readonly timeScale: number; readonly longWindows: boolean },
): string[] => {
  const missing = Object.entries(contract.credentials).filter(([name]) => !keys.some((key) => key.name === name))
  const long = longWindows ? [] : contract.quotas.filter((quota) => windowOfQuota(quota, timeScale) >= longWindowMs)
  return [
    ...missing.map(([name, { env }]) => `the credential ${name} is not played: ${env} is not set`),
    ...long.map(
      (quota) =>
        `the quota ${quota.id} is not spent: its window is ${formatDuration(windowOfQuota(quota, timeScale))} long (--long-windows spends it)`,
    ),
  ]
}

/** A scenario that puts a burst on a quota means all that counts against it: other requests come right after it. */
const withOtherRequests = (scheduled: readonly ScheduledProbe[]): readonly ScheduledProbe[] => {
  const isNamed = scheduled.some(({ probe }) => probe === otherRequests)
  return scheduled.flatMap((each) =>
    each.probe.id === 'burst' && !isNamed ? [each, { probe: otherRequests, settings: {} }] : [each],
  )
}

/** The probes of a scenario for each quota of a contract; of a long window only those that put no load on it. */
export const scheduledFor = (
  contract: ApiContract,
  scheduled: readonly ScheduledProbe[],
  { timeScale, longWindows }: { readonly timeScale: number; readonly longWindows: boolean },
): ScheduledProbe[] =>
  contract.quotas.flatMap((quota) => {
    const isSpent = longWindows || windowOfQuota(quota, timeScale) < longWindowMs
    return withOtherRequests(scheduled)
      .filter(({ probe }) => quotaProbes.includes(probe) && (isSpent || !probe.isLoad))
      .map((each) => ({ ...each, quota: quota.id }))
  })
