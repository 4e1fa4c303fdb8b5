import type { LoadOrder } from '../wire/load/load-order.js'
import { shareOf } from '../wire/load/schedule.js'
import { isThere, type Member } from './member.js'

/** What one agent is to send of a load. */
export interface Assignment {
  readonly member: Member
  readonly order: LoadOrder
}

/** The order at the pace that its agent was allowed, which the keys at work on it share. */
const atPaceOf = ({ card: { mostPerSecond } }: Member, order: LoadOrder, keys: number): LoadOrder =>
  mostPerSecond === null
    ? order
    : { ...order, schedule: { kind: 'slowed', of: order.schedule, perSecond: mostPerSecond / Math.max(1, keys) } }

/**
 * Shares a load out: all agents send every n-th slot of one schedule, so that their sums are exact. Of 10 requests over 4
 * agents the first sends the slots 0, 4 and 8.
 */
const spread = (order: LoadOrder, members: readonly Member[], keys: number): Assignment[] =>
  members.flatMap((member, nth) => {
    const of = members.length
    const amount = shareOf(order.amount, nth, of)
    if (amount === 0) return []
    const connections = Math.min(amount, Math.max(1, Math.ceil(order.connections / of)))
    const own: LoadOrder = {
      ...order,
      amount,
      connections,
      schedule: order.schedule && { kind: 'share', whole: order.schedule, nth, of },
    }
    return [{ member, order: atPaceOf(member, own, keys) }]
  })

/** Says which agent sends what. A key's loads stay on one agent, so that its history has one clock. */
export const createSharingOut = (members: readonly Member[], keys: number) => {
  const placeOfKey = new Map<string, number>()
  return (order: LoadOrder): Assignment[] => {
    const there = members.filter(isThere)
    if (there.length === 0) return []
    if (order.isSpread) return spread(order, there, keys)
    const place = placeOfKey.get(order.key) ?? placeOfKey.size
    placeOfKey.set(order.key, place)
    const own = members[place % members.length]
    const member = isThere(own) ? own : there[place % there.length]
    return [{ member, order: atPaceOf(member, order, Math.ceil(keys / members.length)) }]
  }
}
