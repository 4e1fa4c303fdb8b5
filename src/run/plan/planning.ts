import type { KeyFacts } from '../../probes/probe.js'
import {
  isPlayedApart,
  keysOf,
  mainKeyOf,
  type PlannedRequests,
  plannedRequests,
  type ScheduledProbe,
} from './budget.js'
import type { Section } from './sections.js'

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
