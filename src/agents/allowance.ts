import type { ApiContract } from '../contract/api-contract.js'
import { secondMs } from '../contract/plans.js'
import type { LoadOrder } from '../wire/load/load-order.js'
import { scheduleShape } from '../wire/load/schedule.js'
import type { Share } from './messages.js'

/** The most requests that a load may send within any second: all at once, where no schedule holds them back. */
export const mostInASecond = ({ schedule, amount }: Pick<LoadOrder, 'schedule' | 'amount'>): number => {
  const shape = scheduleShape(schedule, amount)
  if (!shape) return amount
  let most = 0
  let first = 0
  for (let n = 0; n < amount; n += 1) {
    while (shape(n) - shape(first) >= secondMs) first += 1
    most = Math.max(most, n - first + 1)
  }
  return most
}

/** What whoever started an agent lets it do. */
interface Allowance {
  /** The address of the runs that it takes part in. */
  readonly runsOn: string
  readonly mayLoad: boolean
  readonly keys: readonly string[]
  /** In all, as long as it runs; undefined for no bound. */
  readonly mostRequests?: number
  readonly mostPerSecond?: number
}

/** What an agent knows of the run, and of itself, when a share comes. */
interface Standing {
  readonly run: string
  readonly contract: ApiContract
  /** Requests that it has sent, or promised to, in all its runs. */
  readonly promised: number
  /** The most that its shares under way may send in a second. */
  readonly perSecond: number
  /** The earliest time that the coordinator's clock may show. */
  readonly coordinatorMs: number
}

/** Why an agent does not play a share, as a sentence's end; undefined where it does. */
export const refusalOf = (share: Share, allowance: Allowance, standing: Standing): string | undefined => {
  const { order, target, run, notAfterMs } = share
  const { runsOn, mayLoad, keys, mostRequests, mostPerSecond } = allowance
  if (run !== standing.run) return 'it is of another run than the one that the agent takes part in'
  if (target !== runsOn) return `it is for ${target}, and the agent was started for ${runsOn}`
  if (!mayLoad) return 'load is to go to another machine, and the agent was started without --allow-load'
  if (!keys.includes(order.key)) return `the agent has no ${order.key} key`
  if (order.request !== null && !Object.hasOwn(standing.contract.requests, order.request))
    return `the contract has no request ${order.request}`
  if (standing.coordinatorMs > notAfterMs) return 'it came too late'
  if (mostRequests !== undefined && standing.promised + order.amount > mostRequests)
    return `it is ${order.amount} requests, and of --most-requests ${mostRequests} the agent has ${mostRequests - standing.promised} left`
  if (mostPerSecond === undefined) return undefined
  const perSecond = standing.perSecond + mostInASecond(order)
  return perSecond > mostPerSecond
    ? `with it the agent would send ${perSecond} in a second, and --most-per-second is ${mostPerSecond}`
    : undefined
}

/** Tells of each request that goes out, at a moment, whether the second that it ends has as many as are allowed. */
export type RateGuard = (nowMs: number) => boolean

/** Watches that no second has more than so many requests: with 10, that the tenth before is a second ago. */
export const createRateGuard = (most: number): RateGuard => {
  const size = Math.max(1, Math.floor(most))
  const moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  let count = 0
  return (nowMs) => {
    moments[count % size] = nowMs
    count += 1
    // The place that comes next holds the earliest of the last `most`.
    return nowMs - moments[count % size] < secondMs
  }
}
