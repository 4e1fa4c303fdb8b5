import { windowOfQuota } from '../../contract/partitions.js'
import type { RunHead } from '../../evidence/journal.js'
import { isStalled, type Ledger } from '../../evidence/ledger.js'
import { middleOf } from '../../evidence/steady-share.js'
import { petstoreSubject } from '../../petstore/subject.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import type { KeyFacts } from '../../probes/probe.js'
import { type Subject, subjectsOf } from '../../probes/subject.js'
import { mostWaitedMs } from '../playing/usage-book.js'
import { isAdded, isPlayedApart, keysOf, plannedRequests, type ScheduledProbe, usualOf } from './budget.js'

/** A part of a run: the probes that are played for one quota. */
export interface Section extends Subject {
  readonly scheduled: readonly ScheduledProbe[]
  readonly windowMs: number
}

/** The sections of a run, in playing order. This is where a run is for pets or for the quotas of any API. */
export const sectionsOf = (
  { contract, keys, timeScale }: Pick<RunHead, 'contract' | 'keys' | 'timeScale'>,
  scheduled: readonly ScheduledProbe[],
): Section[] => {
  const subjects = contract ? subjectsOf(contract, keys) : [petstoreSubject(keys)]
  return subjects
    .map((subject) => ({
      ...subject,
      scheduled: scheduled.filter(({ quota }) => quota === subject.name),
      windowMs: windowOfQuota(subject.quota, timeScale),
    }))
    .filter((section) => section.keys.length > 0 && section.scheduled.length > 0)
}

/** The time of a single exchange with a nearby target, recording included. */
const exchangeMs = 15
const aroundMs = 500

/** Requests on the main key that are paced within its limit: all but loads and probes that do their own waiting. */
const pacedOn = (main: KeyFacts, scheduled: readonly ScheduledProbe[], keys: readonly KeyFacts[]): number =>
  scheduled
    .filter(({ probe }) => probe.played === 'once' || isPlayedApart(probe))
    .map(({ probe, settings }) => probe.cost(main, settings, keys))
    .filter(({ minutes }) => minutes === 0)
    .reduce((sum, { keyed, strangersWithKey = 0 }) => sum + keyed + strangersWithKey, 0)

type Played = Pick<Section, 'keys' | 'windowMs'>

/** The windows that a probe takes on a key, with waits for longer quotas on the same requests; it never waits for a day. */
const windowsOf = ({ probe, settings }: ScheduledProbe, key: KeyFacts, { keys, windowMs }: Played): number => {
  const usual = usualOf({ probe, settings, keys }, key)
  const waits = (key.longerBeside ?? [])
    .filter(({ windows }) => windows * windowMs <= mostWaitedMs)
    .map(({ most, windows }) => windows * Math.min(1, usual / most))
  return Math.max(probe.cost(key, settings, keys).minutes, ...waits)
}

const longestOf = (group: readonly ScheduledProbe[], played: Played): number => {
  const on = (key: KeyFacts) => group.reduce((sum, each) => sum + windowsOf(each, key, played), 0)
  return Math.max(0, ...played.keys.map(on))
}

/** The probes of a group that, one after the other, end within the time left for repeats. */
export const fittingIn = <Each extends ScheduledProbe>(
  group: readonly Each[],
  played: Played,
  leftMs: number,
): Each[] =>
  group.filter(
    (_, at) => played.keys.length > 0 && longestOf(group.slice(0, at + 1), played) * played.windowMs <= leftMs,
  )

/** How much of the time for repeats these loads use: none if this machine stalled, because they showed too little. */
export const spentOnRepeats = (tookMs: number, loads: readonly Pick<Ledger, 'head'>[], windowMs: number): number =>
  loads.some(({ head }) => isStalled(head, windowMs)) ? 0 : tookMs

/** Whether loads slow each other down: half of one's answers took over 1/40 of a window, and over any one request. */
export const areInEachOthersWay = (loads: readonly Ledger[], longestSingleMs: number, windowMs: number): boolean =>
  loads.some((load) => middleOf([load], () => true).us > 1000 * Math.max(longestSingleMs, windowMs / 40))

/** Repeats take up to 1.4 times as long as the plan: on a slow target, loads need several tries. The longest fits. */
const shareAgain = 1.4
const longestAgainOf = (again: readonly ScheduledProbe[], scheduled: readonly ScheduledProbe[], played: Played) => {
  const planned = scheduled.map(({ probe }) => probe.id)
  const byProbe = [...new Set(again.map(({ probe }) => probe))].map((probe) => {
    const plays = again.filter((each) => each.probe === probe)
    const windows = longestOf(plays.length > 2 ? plays : plays.slice(0, 1), played)
    return { windows, added: isAdded(probe.id, planned) }
  })
  const longest = Math.max(0, ...byProbe.map(({ added, windows }) => (added ? 0 : windows)))
  return byProbe.reduce((sum, { added, windows }) => sum + (added ? windows : 0), longest)
}

/** The usual share of the plan that repeats take: up to 0.6 was measured against correct servers. */
const usualShareAgain = 0.6

/** How long a run usually takes, repeats included. */
export const usuallyUpToMs = ({ durationMs, againMs }: Pick<RunPlan, 'durationMs' | 'againMs'>): number =>
  Math.round(durationMs + Math.min(againMs, usualShareAgain * durationMs))

/** What a section sends on each key, and how long it takes; `againMs`: the most time for repeats. */
export const planSection = (
  { scheduled, ...played }: Played & Pick<Section, 'scheduled'>,
  again: readonly ScheduledProbe[] = [],
) => {
  const { keys, windowMs } = played
  const requests = plannedRequests(scheduled, keys, again)
  const main = mainKeyOf(keys)
  const singles = scheduled.filter(({ probe }) => probe.played === 'once')
  const singleRequests = singles.reduce((sum, { probe, settings }) => {
    const { keyed, strangers } = probe.cost(main, settings, keys)
    return sum + keyed + strangers
  }, 0)
  const windows = keys.map((key) => {
    const loads = scheduled.filter(({ probe }) => probe.played !== 'once' && keysOf(probe, keys).includes(key))
    const minutes = loads.reduce((sum, each) => sum + windowsOf(each, key, played), 0)
    const paced = key === main ? Math.floor(pacedOn(main, scheduled, keys) / key.quota.limit) : 0
    // A contract's keys are named as in the report, which tells those of its several quotas apart.
    return { key: key.credential === undefined ? key.name : key.plan, minutes: minutes + paced }
  })
  const longest = Math.max(0, ...windows.map(({ minutes }) => minutes))
  const durationMs = Math.round(longest * windowMs + singleRequests * exchangeMs + aroundMs)
  const longestAgainMs = longestAgainOf(again, scheduled, played) * windowMs
  const againMs = again.length > 0 ? Math.round(Math.max(shareAgain * durationMs, longestAgainMs)) : 0
  return { requests, windows, durationMs, againMs }
}

export type RunPlan = Readonly<ReturnType<typeof planSection>>

export const joinedPlan = (plans: readonly RunPlan[]): RunPlan => ({
  requests: plans.flatMap(({ requests }) => requests),
  windows: plans.flatMap(({ windows }) => windows),
  durationMs: plans.reduce((sum, { durationMs }) => sum + durationMs, 0),
  againMs: plans.reduce((sum, { againMs }) => sum + againMs, 0),
})
