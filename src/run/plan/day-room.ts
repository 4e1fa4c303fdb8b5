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
