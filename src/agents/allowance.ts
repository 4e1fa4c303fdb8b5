import { secondMs } from '../contract/plans.js'
import type { LoadOrder } from '../wire/load/load-order.js'
import { scheduleShape } from '../wire/load/schedule.js'
import type { MembershipSetup } from './agent-setup.js'
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

/**
 * Why an agent does not play a share, as a sentence's end; undefined where it does.
 *
 * @param now the most that its shares under way may send in a second, and the earliest time that the coordinator's clock may show.
 */
export const refusalOf = (
  { order, target, run, notAfterMs }: Share,
  { run: own, means: { contract, keys }, runsOn, mayLoadNow, mostRequests, mostPerSecond, promised }: MembershipSetup,
  now: Readonly<Record<'perSecond' | 'coordinatorMs', number>>,
): string | undefined => {
  if (run !== own) return 'it is of another run than the one that the agent takes part in'
  if (target !== runsOn) return `it is for ${target}, and the agent was started for ${runsOn}`
  if (!mayLoadNow) return 'load is to go to another machine, and the agent was started without --allow-load'
  if (keys.every(({ name }) => name !== order.key)) return `the agent has no ${order.key} key`
  if (order.request !== null && !Object.hasOwn(contract.requests, order.request))
    return `the contract has no request ${order.request}`
  if (now.coordinatorMs > notAfterMs) return 'it came too late'
  if (mostRequests !== undefined && promised.count + order.amount > mostRequests)
    return `it is ${order.amount} requests, and of --most-requests ${mostRequests} the agent has ${mostRequests - promised.count} left`
  if (mostPerSecond === undefined) return undefined
  const perSecond = now.perSecond + mostInASecond(order)
  return perSecond > mostPerSecond
    ? `with it the agent would send ${perSecond} in a second, and --most-per-second is ${mostPerSecond}`
    : undefined
}

/** Watches that no second has more than so many requests: with 10, that the tenth before is a second ago. */
export const createRateGuard = (most: number) => {
  const size = Math.max(1, Math.floor(most))
  const moments = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  let count = 0
  return (nowMs: number): boolean => {
    moments[count % size] = nowMs
    count += 1
    // The place that comes next holds the earliest of the last `most`.
    return nowMs - moments[count % size] < secondMs
  }
}
