import type { ApiContract } from '../../contract/api-contract.js'
import { windowOfQuota } from '../../contract/partitions.js'
import { formatDuration } from '../../kit/duration.js'
import { otherRequests } from '../../probes/profiles/other-requests.js'
import type { ScheduledProbe } from '../plan/budget.js'
import { quotaProbes } from '../plan/probe-registry.js'
import type { GivenKey } from './keys.js'

/** Windows of this length and more are spent only where that is asked for. */
const longWindowMs = 3_600_000

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
