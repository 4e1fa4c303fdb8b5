import type { Schedule } from '../../wire/load/schedule.js'
import type { KeyFacts, ProbeContext } from '../probe.js'
import { beSilent } from './fresh-window.js'

export interface HammeringSettings {
  readonly clients: number
  /** How many requests are to be served, in limits of a minute; and how many all clients send in each window. */
  readonly work: number
  readonly pressure: number
}

/** A day of fewer minutes' worth is not hammered: tests of its limit need every request. Free has 1,000 / 60 = 17. */
const leastMinutesInDay = 30

/** The silence before it, in windows: a whole one, and a little more. */
const silentWindows = 1.1

const windowsOf = ({ work }: HammeringSettings): number => Math.ceil(work)

/**
 * What {@link hammer} sends on a key at most, and for how long; nothing where it is not asked for or the key's day is
 * short.
 */
export const hammeringCost = ({ quota }: KeyFacts, each: HammeringSettings): { keyed: number; minutes: number } =>
  each.pressure === 0 || quota.longer < leastMinutesInDay * quota.limit
    ? { keyed: 0, minutes: 0 }
    : { keyed: Math.ceil(quota.limit * each.pressure * windowsOf(each)), minutes: silentWindows + windowsOf(each) }

/** All clients ask at the same moments: 20 clients at 1.5 times 60 a minute, so every 13.3 s. */
const inStep = ({ clients, pressure }: HammeringSettings, limit: number, minuteMs: number): Schedule => ({
  kind: 'groups',
  size: clients,
  apartMs: (clients * minuteMs) / (limit * pressure),
})

/**
 * Plays clients that share a key and some work, and ask again and again whatever they are told, for comparison with
 * those that wait. Ends when the work is done, with the first answer that is neither 200 nor 429, or with its last
 * request. The inventory is put back before, for a ban would prevent that later.
 */
export const hammer = async (context: ProbeContext, each: HammeringSettings): Promise<void> => {
  const { key, minuteMs } = context
  const { keyed: amount } = hammeringCost(key, each)
  if (amount === 0) return
  if (context.isMain) await context.restore()
  await beSilent(context)
  await context.load({
    id: `hammering-${key.name}`,
    connections: Math.min(each.clients, amount),
    amount,
    schedule: inStep(each, key.quota.limit, minuteMs),
    stop: { kind: 'served', times: Math.ceil(key.quota.limit * each.work) },
  })
}
