import { noLongerLimit } from '../../contract/plans.js'
import { mainKeyOf } from '../../probes/moves/loads.js'
import { DayUsedUp, type KeyFacts, type LoadPlan, type Probe, ProbeSkipped, type Room } from '../../probes/probe.js'
import type { RunLog } from '../playing/run-log.js'
import { hasInventory, restoreCost, type ScheduledProbe } from './budget.js'

interface DayRoomSetup extends ScheduledProbe {
  readonly played: readonly KeyFacts[]
  readonly keys: readonly KeyFacts[]
  readonly dayLeft: (key: KeyFacts) => number
  readonly log: RunLog
  readonly now: () => number
}

/**
 * What a probe sends on a key as a rule: its plan or, beside a longer quota, two and a half windows and some questions,
 * for the most that it may send would leave no room.
 */
export const usualOf = (
  { probe, settings, keys }: Pick<DayRoomSetup, 'probe' | 'settings' | 'keys'>,
  key: KeyFacts,
): number => {
  const planned = probe.cost(key, settings, keys).keyed
  return key.quota.longer === noLongerLimit ? Math.min(planned, Math.ceil(2.5 * key.quota.limit) + 10) : planned
}

/** Whether days bound a probe: some are asked to spend the day, and single exchanges matter only where pets are put back after them. */
const isBound = (probe: Probe, keys: readonly KeyFacts[]): boolean =>
  !probe.spendsDay && (probe.played !== 'once' || hasInventory(keys))

/**
 * The room for a probe on the days of its keys. Throws {@link ProbeSkipped} where it is too little: with 150 of 1,000
 * left, a probe of 400 that needs 75 is cut to 150; one that needs 200 is skipped.
 */
export const dayRoom = (setup: DayRoomSetup) => {
  const { probe, settings, played, keys, dayLeft, log, now } = setup
  // The main key puts the inventory back, which takes some of its day.
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
      log.note(now(), `${key.name}: ${probe.id} was left out: it takes ${needed} requests at least, and ${day}`)
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
    /** Whether a key's day is short: the probe has to be smaller on it than planned. */
    isShort: ({ name }: KeyFacts) => short.has(name),
    /** Of a short day: what the whole probe would have needed, and what was left. Undefined where no day is short. */
    cutTo: short.values().next().value,
    has: (key: KeyFacts, requests: number) => !short.has(key.name) || leftFor(key) >= requests,
    /** The load, cut to the room. Throws {@link DayUsedUp} where that is less than the load's `least`. */
    cut(key: KeyFacts, plan: LoadPlan): LoadPlan {
      const { amount, connections, least = 1, keeps = 0 } = plan
      if (!short.has(key.name)) return plan
      const left = leftFor(key)
      const room = left - keeps
      if (room < Math.min(amount, least)) throw usedUp(key, Math.min(amount, least) + keeps, left)
      return room >= amount ? plan : { ...plan, amount: room, connections: Math.min(connections, room) }
    },
    /** Throws {@link DayUsedUp} where not even one more request has room. */
    takeOne(key: KeyFacts): void {
      if (short.has(key.name) && leftFor(key) < 1) throw usedUp(key, 1, 0)
    },
  }
}

/** What the days of keys still have for a probe, so that it spends no day that nobody asked to be spent. */
export type DayRoom = ReturnType<typeof dayRoom>
