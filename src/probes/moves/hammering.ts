import type { Shape } from '../../load/schedule.js'
import type { KeyFacts, ProbeContext } from '../probe.js'
import { beSilent } from './fresh-window.js'

export interface HammeringSettings {
  readonly clients: number
  /** In limits of a minute: what is to be served, and what all clients together send in each window. */
  readonly work: number
  readonly pressure: number
}

/**
 * A day has to hold so many minutes' worth of requests: of a shorter one (the Free plan's is 17) the profiles that put
 * the limit to the test need every request.
 */
const leastMinutesInDay = 30

/** A whole window of silence, and a little more, before the windows that the work takes. */
const silentWindows = 1.1

const windowsOf = ({ work }: HammeringSettings): number => Math.ceil(work)

/** What it sends on a key, at most, and for how long; nothing where it is not asked for or the key's day is short. */
export const hammeringCost = ({ quota }: KeyFacts, each: HammeringSettings): { keyed: number; minutes: number } =>
  each.pressure === 0 || quota.day < leastMinutesInDay * quota.minute
    ? { keyed: 0, minutes: 0 }
    : { keyed: Math.ceil(quota.minute * each.pressure * windowsOf(each)), minutes: silentWindows + windowsOf(each) }

/** All clients ask at the same moments, so far apart that the pressure is what was asked for. */
const inStep = ({ clients, pressure }: HammeringSettings, limit: number, minuteMs: number): Shape => {
  const apartMs = (clients * minuteMs) / (limit * pressure)
  return (n) => Math.floor(n / clients) * apartMs
}

/**
 * Clients that share a key and a heap of work, and ask again and again whatever they are told: for comparison with those
 * that wait. It ends with the work done, with an answer that is neither 200 nor 429, or when its requests are spent. What
 * was changed is put back before: a ban would stand in the way.
 */
export const hammer = async (context: ProbeContext, each: HammeringSettings): Promise<void> => {
  const { key, minuteMs } = context
  const { keyed: amount } = hammeringCost(key, each)
  if (amount === 0) return
  if (context.isMain) await context.restore()
  await beSilent(context)
  let left = Math.ceil(key.quota.minute * each.work)
  await context.load({
    id: `hammering-${key.name}`,
    connections: Math.min(each.clients, amount),
    amount,
    shape: inStep(each, key.quota.minute, minuteMs),
    stopWhen({ status }) {
      if (status === 200) left -= 1
      return left === 0 || (status !== 200 && status !== 429)
    },
  })
}
