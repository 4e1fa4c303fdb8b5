import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { quotaKeys, windowOfQuota } from '../../contract/partitions.js'
import { windowMs } from '../../contract/plans.js'
import { mostBeside } from '../../contract/quotas-beside.js'
import type { RunHead } from '../../evidence/journal.js'
import type { KeyFacts } from '../../probes/probe.js'
import type { ScheduledProbe } from './budget.js'

/** A part of a run: the probes that are played for one quota of a contract file, or all of them for the bundled contract. */
export interface Section {
  readonly quota?: QuotaSpec
  /** What the quota counts by; for the bundled contract the keys that were given. */
  readonly keys: readonly KeyFacts[]
  readonly scheduled: readonly ScheduledProbe[]
  readonly minuteMs: number
}

/**
 * The sections of a run, in the order of its quotas' windows, the longest first: what others spent before the run is
 * over then when a shorter quota, beside which it might count, is put to the test.
 */
export const sectionsOf = (
  { contract, keys, timeScale }: Pick<RunHead, 'contract' | 'keys' | 'timeScale'>,
  scheduled: readonly ScheduledProbe[],
): Section[] => {
  if (!contract) return [{ keys, scheduled, minuteMs: windowMs('minute', timeScale) }]
  const names = keys.map(({ name }) => name)
  const windowOf = (quota: QuotaSpec) => windowOfQuota(quota, timeScale)
  return contract.quotas
    .toSorted((a, b) => windowOf(b) - windowOf(a))
    .map((quota) => ({
      quota,
      keys: quotaKeys(contract, quota, names).map((key) => withPace(key, contract, quota)),
      scheduled: scheduled.filter((each) => each.quota === quota.id),
      minuteMs: windowOf(quota),
    }))
    .filter((section) => section.keys.length > 0 && section.scheduled.length > 0)
}

/** So much of a shorter quota's rate is used, so that no limiter of it refuses what is meant for a longer one. */
const usedOfShorter = 0.9

/** The key with what the shorter quotas beside allow it in one of its windows, whatever the time scale. */
const withPace = (key: KeyFacts, contract: ApiContract, quota: QuotaSpec): KeyFacts => {
  const most = usedOfShorter * mostBeside(contract, quota, key.credential ?? key.name)
  return Number.isFinite(most) ? { ...key, mostPerWindow: most } : key
}

/** Groups what is played side by side in a section: probes in a row that are played on each plan's key. Others are alone. */
export const grouped = (scheduled: readonly ScheduledProbe[]): ScheduledProbe[][] => {
  const groups: ScheduledProbe[][] = []
  for (const each of scheduled) {
    const last = groups.at(-1)
    const joins = last && each.probe.played === 'each-plan' && last[0].probe.played === 'each-plan'
    if (joins) last.push(each)
    else groups.push([each])
  }
  return groups
}
