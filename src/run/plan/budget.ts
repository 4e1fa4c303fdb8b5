import { loadedAgain } from '../../checks/framework/judged-clause.js'
import { noLongerLimit } from '../../contract/plans.js'
import type { RunHead } from '../../evidence/journal.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import {
  type Cost,
  DayUsedUp,
  type KeyFacts,
  type LoadPlan,
  type Probe,
  ProbeBlocked,
  ProbeSkipped,
  type Room,
} from '../../probes/probe.js'
import type { RunLog } from '../playing/run-log.js'

/** A probe of the scenario, with settings that match its schema. */
export interface ScheduledProbe {
  readonly probe: Probe
  readonly settings: Readonly<Record<string, unknown>>
  /** The quota of a contract file for which it is played. */
  readonly quota?: string
}

/** `ifUntold`: sent only if the evidence so far could not have shown every breach. */
export type PlannedRequests = Readonly<RunHead['planned']['requests'][number]>

/** Where the budget books requests without a valid key. */
export const strangers = 'strangers'

/** Requests to restore the pets once: a reading, two changes, a reading; loads need more. */
const restoreCost = 4

/** The same at the end on another key, if the main one is refused: a reading, six changes, a reading. */
const standInCost = 8
export const standInRestore = 'restore-on-another-key'

/** A key's allowance for probes that are repeated or take more than planned. */
const repeats = 'repeats'

/** Loads that settle a quota: a run may add one even if its scenario lacks it. */
const settlesQuota: ReadonlySet<string> = new Set(loadedAgain.map(({ probe }) => probe))

export const isAdded = (probe: string, planned: readonly string[]): boolean =>
  settlesQuota.has(probe) && !planned.includes(probe)

/** The most that repeats may send on each key: the planned requests or the dearest probe, plus added loads. */
const repeatsOf = (rows: readonly PlannedRequests[], again: readonly PlannedRequests[]): PlannedRequests[] =>
  [...new Set(again.map(({ key }) => key))].map((key) => {
    const of = (among: readonly PlannedRequests[]) => among.flatMap((each) => (each.key === key ? [each.requests] : []))
    const sum = (requests: readonly number[]) => requests.reduce((all, each) => all + each, 0)
    const planned = rows.flatMap((each) => (each.key === key ? [each.probe] : []))
    const added = new Map(
      again.flatMap((each) => (each.key === key && isAdded(each.probe, planned) ? [[each.probe, each.requests]] : [])),
    )
    const played = again.filter(({ probe }) => !added.has(probe))
    const most = Math.max(sum(of(rows)), ...of(played)) + sum([...added.values()])
    return { key, probe: repeats, requests: Math.min(most, sum(of(again))), ifUntold: true }
  })

/** The share of requests that may be repeated after a 429 or a broken connection. */
const againShare = 0.1

/** Where the budget books a key's requests: under its credential, whatever a quota counts by. */
export const bookedOn = ({ name, credential = name }: KeyFacts): string => credential

/** Whether these keys restore an inventory: keys of a quota that counts certain requests change nothing. */
const hasInventory = (keys: readonly KeyFacts[]): boolean => keys.every(({ request }) => request === undefined)

/** The first key of each plan: these take the loads. */
export const onePerPlan = (keys: readonly KeyFacts[]): KeyFacts[] =>
  keys.filter((key, index) => keys.findIndex(({ plan }) => plan === key.plan) === index)

export const keysOf = (probe: Probe, keys: readonly KeyFacts[]): KeyFacts[] => {
  if (probe.played === 'once') return [mainKeyOf(keys)]
  return probe.played === 'each-key' || probe.played === 'all-keys' ? [...keys] : onePerPlan(keys)
}

/** Whether a probe is played separately on each of its keys, not once for all. */
export const isPlayedApart = ({ played }: Probe): boolean => played === 'each-plan' || played === 'each-key'

/** Whether a probe's settings leave this key alone, though the scenario plays it on another key or with other settings. */
export const isLeftAlone = (
  { probe, settings }: ScheduledProbe,
  scheduled: readonly ScheduledProbe[],
  key: KeyFacts,
  keys: readonly KeyFacts[],
): boolean => {
  const asks = (each: ScheduledProbe['settings'], other: KeyFacts) => probe.cost(other, each, keys).keyed > 0
  if (!isPlayedApart(probe) || asks(settings, key)) return false
  return scheduled.some((each) => each.probe.id === probe.id && keys.some((other) => asks(each.settings, other)))
}

const rowsOf = ({ probe, settings }: ScheduledProbe, keys: readonly KeyFacts[]): PlannedRequests[] =>
  keysOf(probe, keys).flatMap((key) => {
    const { keyed, strangers: unkeyed }: Cost = probe.cost(key, settings, keys)
    const rows = [
      { key: bookedOn(key), probe: probe.id, requests: keyed },
      { key: strangers, probe: probe.id, requests: unkeyed },
    ]
    // A probe with nothing to send gets no slot, so a new plan may add one after a key drops out.
    return rows.filter(({ requests }) => requests > 0)
  })

/** The most that each probe sends on each key; `again` holds a probe as often as it may be repeated. */
export const plannedRequests = (
  scheduled: readonly ScheduledProbe[],
  keys: readonly KeyFacts[],
  again: readonly ScheduledProbe[] = [],
): PlannedRequests[] => {
  const rows = scheduled.flatMap((each) => rowsOf(each, keys))
  const main = mainKeyOf(keys).name
  const single = scheduled.filter(({ probe }) => probe.played === 'once').length
  const askedAgain = Math.ceil(
    rows.filter(({ probe }) => probe !== 'burst').reduce((sum, row) => sum + row.requests, 0) * againShare,
  )
  const isRestored = hasInventory(keys)
  const byLoads = [...scheduled, ...again].reduce((sum, { probe }) => sum + (probe.leavesChanged ?? 0), 0)
  const restore = isRestored ? [{ key: main, probe: 'restore', requests: restoreCost * (single + 1) + byLoads }] : []
  const standIns = (isRestored ? onePerPlan(keys) : [])
    .filter(({ name }) => name !== main)
    .map(({ name }) => ({ key: name, probe: standInRestore, requests: standInCost }))
  const played = [...rows, ...restore]
  const ifUntold = repeatsOf(
    played,
    again.flatMap((each) => rowsOf(each, keys)),
  )
  return [...played, ...ifUntold, ...standIns, { key: 'any', probe: 'asked-again', requests: askedAgain }]
}

/** The planned requests by key and probe; a probe that is played twice has the sum. */
export const bySlot = (planned: readonly PlannedRequests[]): Map<string, number> => {
  const slots = new Map<string, number>()
  for (const { key, probe, requests } of planned)
    slots.set(`${key} ${probe}`, (slots.get(`${key} ${probe}`) ?? 0) + requests)
  return slots
}

/** Counts what is sent against what was planned. */
export const createBudget = (planned: readonly PlannedRequests[]) => {
  const slots = bySlot(planned)
  const of = (key: string, probe: string): number => slots.get(`${key} ${probe}`) ?? 0
  /** What a probe may still send on a key: the rest of its plan and the key's allowance for repeats. */
  const left = (key: string, probe: string): number => of(key, probe) + of(key, repeats)
  return {
    left,
    /** Adds a new plan, made after a key was rejected, for keys and probes that had no plan yet. */
    extend(more: readonly PlannedRequests[]): void {
      for (const [slot, requests] of bySlot(more)) if (!slots.has(slot)) slots.set(slot, requests)
    },
    /** Takes requests out of the plan. Throws {@link ProbeBlocked} if they exceed what is left. */
    spend(key: string, probe: string, count = 1): void {
      if (count > left(key, probe)) throw new ProbeBlocked('requests-spent')
      const own = Math.min(count, of(key, probe))
      slots.set(`${key} ${probe}`, of(key, probe) - own)
      slots.set(`${key} ${repeats}`, of(key, repeats) - (count - own))
    },
    mayAskAgain: () => left('any', 'asked-again') > 0,
  }
}

export type Budget = ReturnType<typeof createBudget>

interface DayRoomSetup extends ScheduledProbe {
  readonly played: readonly KeyFacts[]
  readonly keys: readonly KeyFacts[]
  readonly dayLeft: (key: KeyFacts) => number
  readonly log: RunLog
  readonly now: () => number
}

/** What a probe usually sends on a key. Its maximum would leave no room beside a longer quota. */
export const usualOf = (
  { probe, settings, keys }: Pick<DayRoomSetup, 'probe' | 'settings' | 'keys'>,
  key: KeyFacts,
): number => {
  const planned = probe.cost(key, settings, keys).keyed
  return key.quota.longer === noLongerLimit ? Math.min(planned, Math.ceil(2.5 * key.quota.limit) + 10) : planned
}

/** Whether days limit a probe: not if it is to spend the day, and for single requests only if pets are restored after. */
const isBound = (probe: Probe, keys: readonly KeyFacts[]): boolean =>
  !probe.spendsDay && (probe.played !== 'once' || hasInventory(keys))

/**
 * The room that the days of its keys leave for a probe. Throws {@link ProbeSkipped} if that is too little: with 150 of
 * 1,000 left, a probe of 400 that needs 75 is cut to 150; one that needs 200 is skipped.
 */
export const dayRoom = (setup: DayRoomSetup) => {
  const { probe, settings, played, keys, dayLeft, log, now } = setup
  // The main key restores the inventory, which takes part of its day.
  const restores = ({ name }: KeyFacts) => hasInventory(keys) && name === mainKeyOf(keys).name
  const leftFor = (key: KeyFacts) => Math.max(0, dayLeft(key) - (restores(key) ? 2 * restoreCost : 0))
  const ofDay = ({ quota: { longer } }: KeyFacts, left: number): string =>
    longer === noLongerLimit
      ? `its other quotas leave ${left}`
      : `${left} of the ${longer} requests of its day are left`
  const short = new Map<string, Room>()
  for (const key of isBound(probe, keys) ? played : []) {
    const most = usualOf(setup, key)
    const needed = Math.min(most, probe.least?.(key, settings, keys) ?? most)
    const left = leftFor(key)
    if (most <= left) continue
    const day = ofDay(key, left)
    if (needed > left) {
      log.note(now(), `${key.name}: ${probe.id} was left out: it needs at least ${needed} requests, and ${day}`)
      throw new ProbeSkipped('day-too-small', { key: key.name, needed, left })
    }
    log.note(now(), `${key.name}: ${probe.id} was cut: it takes up to ${most} requests, and ${day}`)
    short.set(key.name, { key: key.name, needed: most, left })
  }
  const usedUp = (key: KeyFacts, needed: number, left: number): DayUsedUp => {
    const room: Room = { key: key.name, needed, left }
    log.note(now(), `${key.name}: ${probe.id} ended early: it takes ${needed} more requests, and ${ofDay(key, left)}`)
    return new DayUsedUp(room)
  }
  return {
    /** Whether too little is left of a key's day to play the probe as planned. */
    isShort: ({ name }: KeyFacts) => short.has(name),
    /** What the whole probe would need, and what a short day has left. Undefined if no day is short. */
    cutTo: short.values().next().value,
    has: (key: KeyFacts, requests: number) => !short.has(key.name) || leftFor(key) >= requests,
    /** The load, cut to the room. Throws {@link DayUsedUp} if that is less than the load's `least`. */
    cut(key: KeyFacts, plan: LoadPlan): LoadPlan {
      const { amount, connections, least = 1, keeps = 0 } = plan
      if (!short.has(key.name)) return plan
      const left = leftFor(key)
      const room = left - keeps
      if (room < Math.min(amount, least)) throw usedUp(key, Math.min(amount, least) + keeps, left)
      return room >= amount ? plan : { ...plan, amount: room, connections: Math.min(connections, room) }
    },
    /** Throws {@link DayUsedUp} if there is no room for even one more request. */
    takeOne(key: KeyFacts): void {
      if (short.has(key.name) && leftFor(key) < 1) throw usedUp(key, 1, 0)
    },
  }
}

/** What the days of its keys still leave for a probe, so that it spends no day unasked. */
export type DayRoom = ReturnType<typeof dayRoom>
