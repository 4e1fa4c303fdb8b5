import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { mostBeside, quotaKeys, windowOfQuota } from '../../contract/partitions.js'
import { windowMs } from '../../contract/plans.js'
import type { RunHead } from '../../evidence/journal.js'
import type { KeyFacts } from '../../probes/probe.js'
import {
  isPlayedApart,
  keysOf,
  mainKeyOf,
  type PlannedRequests,
  plannedRequests,
  type ScheduledProbe,
} from './budget.js'
import { findProbe } from './probe-registry.js'

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

export interface RunPlan {
  readonly requests: readonly PlannedRequests[]
  /** Nearly all of it are waits for windows. */
  readonly durationMs: number
  /** How much longer it takes at most, where probes are played once more. */
  readonly againMs: number
  readonly windows: readonly { readonly key: string; readonly minutes: number }[]
}

/** What a single exchange takes, recording included, with a target that is near. */
const exchangeMs = 15
/** What starting and ending a run takes. */
const aroundMs = 500

/**
 * Requests on the main key that are paced within its limit: all but loads, and probes that wait by themselves. 150 of
 * them take two windows more on a key of 60 a minute.
 */
const pacedOn = (main: KeyFacts, scheduled: readonly ScheduledProbe[], keys: readonly KeyFacts[]): number =>
  scheduled
    .filter(({ probe }) => probe.played === 'once' || isPlayedApart(probe))
    .map(({ probe, settings }) => probe.cost(main, settings, keys))
    .filter(({ minutes }) => minutes === 0)
    .reduce((sum, { keyed, strangersWithKey = 0 }) => sum + keyed + strangersWithKey, 0)

/** The windows that these probes take one after the other, each on the key on which it takes longest. */
const longestOf = (scheduled: readonly ScheduledProbe[], keys: readonly KeyFacts[]): number =>
  scheduled
    .map(({ probe, settings }) => Math.max(0, ...keys.map((key) => probe.cost(key, settings, keys).minutes)))
    .reduce((sum, minutes) => sum + minutes, 0)

/** What a section of a run would send on which key, and how long it takes; computed from what each probe declares. */
export const planSection = (
  { scheduled, keys, minuteMs }: Pick<Section, 'scheduled' | 'keys' | 'minuteMs'>,
  again: readonly ScheduledProbe[] = [],
): RunPlan => {
  const requests = plannedRequests(scheduled, keys, again)
  const main = mainKeyOf(keys)
  const singles = scheduled.filter(({ probe }) => probe.played === 'once')
  const singleRequests = singles.reduce((sum, { probe, settings }) => {
    const { keyed, strangers } = probe.cost(main, settings, keys)
    return sum + keyed + strangers
  }, 0)
  const windows = keys.map((key) => {
    const loads = scheduled.filter(({ probe }) => probe.played !== 'once' && keysOf(probe, keys).includes(key))
    const minutes = loads.reduce((sum, { probe, settings }) => sum + probe.cost(key, settings, keys).minutes, 0)
    const paced = key === main ? Math.floor(pacedOn(main, scheduled, keys) / key.quota.limit) : 0
    // Of a contract the keys of its several quotas are told apart by what they are called in the report.
    return { key: key.credential === undefined ? key.name : key.plan, minutes: minutes + paced }
  })
  const longest = Math.max(0, ...windows.map(({ minutes }) => minutes))
  const durationMs = Math.round(longest * minuteMs + singleRequests * exchangeMs + aroundMs)
  return { requests, windows, durationMs, againMs: Math.round(longestOf(again, keys) * minuteMs) }
}

/** The plans of sections that are played one after the other, as one. */
export const joinedPlan = (plans: readonly RunPlan[]): RunPlan => ({
  requests: plans.flatMap(({ requests }) => requests),
  windows: plans.flatMap(({ windows }) => windows),
  durationMs: plans.reduce((sum, { durationMs }) => sum + durationMs, 0),
  againMs: plans.reduce((sum, { againMs }) => sum + againMs, 0),
})

/** What these probes of a run take by their plan, without what is played again; undefined where an older run had others. */
export const plannedAloneMs = (run: RunHead, ids: ReadonlySet<string>): number | undefined => {
  const wanted = run.probes.filter(({ probe }) => ids.has(probe))
  const scheduled = wanted.flatMap(({ probe: id, settings, quota }): ScheduledProbe[] => {
    const probe = findProbe(id)
    const read = probe?.settings.safeParse(settings)
    return probe && read?.success ? [{ probe, settings: read.data, quota }] : []
  })
  if (run.keys.length === 0 || scheduled.length < wanted.length) return undefined
  return joinedPlan(sectionsOf(run, scheduled).map((section) => planSection(section))).durationMs
}
