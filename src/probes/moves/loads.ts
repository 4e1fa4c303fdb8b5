import { amount, texts, whole } from '../../kit/described.js'
import type { Schedule } from '../../wire/load/schedule.js'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'

export const untilRefused: LoadPlan['stop'] = { kind: 'status', is: [429] }

/** Connections over which a key is spent: this many requests at once show a count that is checked before it is raised. */
export const spendingConnections = 20

/** The fewest connections that spend `amount` in a share of a window: over one, as for a near target, nothing overtakes. */
export const connectionsFor = (context: ProbeContext, amount: number, share: number, most: number): number =>
  Math.min(amount, most, Math.ceil((amount * context.longestRoundTripMs()) / (share * context.windowMs)) || 1)

/** How many requests have to be decided in each millisecond so that two meet in a count that is raised 1 ms late. */
const decidedEachMs = 2

/** The most connections over which requests go at once, however slow the target is. */
const mostAtOnce = 250

/**
 * Over how many connections a load goes: the longer a target takes to decide, the more requests have to be in flight
 * for as many to be decided in each millisecond. If answers usually take 80 ms, that is 160. Any more would only queue
 * in the target, and then nobody could tell when each was decided.
 */
export const atOnce = (context: Pick<ProbeContext, 'usualRoundTripMs'>, connections: number): number =>
  Math.max(connections, Math.min(mostAtOnce, Math.ceil(decidedEachMs * context.usualRoundTripMs())))

/** The most that is sent at once for that, in limits; and the most for a small limit: a refusal costs no quota. */
const [mostInLimits, mostToSmall] = [2.2, 100]

/** The most that a load sends at once to a small limit; 0 if the limit is not small. */
export const atOnceCost = (limit: number): number => (mostInLimits * limit < mostToSmall ? mostToSmall : 0)

/** If an answer takes a larger share of a window, requests sent at once are decided in several: then no more are sent. */
const mostOfWindow = 0.1

/**
 * The amount of a load that spends a key at once: more if the target is slow or the limit small, so that requests are
 * still in flight when the last place is taken. Unchanged if that many refusals in a row begin a block, or if a shorter
 * quota refuses what comes at once.
 */
export const amountAtOnce = (
  context: Pick<ProbeContext, 'key' | 'blockedForMs' | 'longestRoundTripMs' | 'usualRoundTripMs' | 'windowMs'>,
  connections: number,
  amount: number,
): number => {
  const { key, blockedForMs, windowMs } = context
  const isTooSlow = context.longestRoundTripMs() > mostOfWindow * windowMs
  if (blockedForMs > 0 || key.mostPerWindow !== undefined || isTooSlow) return amount
  const most = Math.max(mostToSmall, Math.floor(mostInLimits * key.quota.limit))
  return Math.max(amount, Math.min(atOnce(context, connections), most))
}

export const plansSetting = texts(
  'Only on the keys of these plans, or on these credentials of a contract. Default: on all.',
).optional()

export const isSpared = (plan: string, plans?: readonly string[]): boolean => plans?.includes(plan) === false

/** What spends a key for certain: its limit, a twentieth for a bucket that refills meanwhile (3 s of a minute), and two. */
export const amountToSpend = (limit: number): number => limit + Math.ceil(limit / 20) + 2

/** What spends it on a short day. */
export const leastToSpend = (limit: number): number => limit + 2

/** Requests beyond the limit that show an extra admission on a short day: one admitted, and two refused. */
export const leastBeyondLimit = 3

/** What is sent on a short day to show one. */
export const leastToShow = (limit: number): number => limit + leastBeyondLimit

/** What goes beyond a limit: its overshoot; on a small limit, of which that is next to nothing, as much as shows one. */
export const amountBeyond = (limit: number, overshoot: number): number =>
  Math.max(leastToShow(limit), Math.ceil(limit * overshoot))

/** The most that is sent to empty a bucket, in limits. */
const mostLimits = 5

/**
 * The most that is sent until a key is refused that a shorter quota holds to a pace: a bucket gets part of it back
 * meanwhile. For 40 in 12 s, at 54 in 12 s, that is 40 x 54 / (54 - 40) = 155, and a few more. 0 without a pace.
 */
export const amountInPace = ({ quota: { limit }, mostPerWindow }: KeyFacts): number => {
  if (mostPerWindow === undefined) return 0
  const beyond = mostPerWindow - limit
  const emptied = beyond > 0 ? (limit * mostPerWindow) / beyond : Number.POSITIVE_INFINITY
  return Math.ceil(Math.min(emptied, mostLimits * limit)) + leastBeyondLimit
}

/** How many windows that takes; 0 without a pace. */
export const windowsInPace = (key: KeyFacts): number => amountInPace(key) / (key.mostPerWindow ?? 1)

/** A key whose day holds fewer minutes' worth is spared: the loads that test its limit need every request. */
const leastMinutesInDay = 10

export const hasShortDay = ({ quota }: KeyFacts): boolean => quota.longer < leastMinutesInDay * quota.limit

/** The key with the smallest minute, which a slow target refuses soonest; one with a short day only if all have one. */
export const smallestOf = (keys: readonly KeyFacts[]): KeyFacts => {
  const roomy = keys.filter((key) => !hasShortDay(key))
  return (roomy.length > 0 ? roomy : keys).reduce((best, key) => (key.quota.limit < best.quota.limit ? key : best))
}

export const isSmallest = ({ name }: KeyFacts, keys: readonly KeyFacts[]): boolean => name === smallestOf(keys).name

/** Whether a key is another one, with room in its day for loads besides those that test its limit. */
export const isRoomyOther = (key: KeyFacts, keys: readonly KeyFacts[]): boolean =>
  !hasShortDay(key) && !isSmallest(key, keys)

/** The main key, with the largest minute: single exchanges are played on it. */
export const mainKeyOf = (keys: readonly KeyFacts[]): KeyFacts =>
  keys.reduce((best, key) => (key.quota.limit > best.quota.limit ? key : best))

/** How long answers may take without delaying the schedule: 60 a minute get three connections, 1,000 a minute 11. */
const patienceMs = 500
/** Two more, for an answer that takes longer now and then. */
const spareConnections = 2
const mostConnections = 100

/** `perWindow` requests in each of `windows` windows, evenly spaced but for jitter; with connections for slow answers. */
export const evenPace = (
  { windowMs }: Pick<ProbeContext, 'windowMs'>,
  perWindow: number,
  windows: number,
  jitter = 0,
): { readonly amount: number; readonly schedule: Schedule; readonly connections: number } => {
  const perSecond = (perWindow * 1000) / windowMs
  const amount = Math.max(1, Math.floor(perWindow * windows))
  const wanted = Math.ceil((perSecond * patienceMs) / 1000) + spareConnections
  const schedule: Schedule = { kind: 'constant', perSecond, ...(jitter > 0 && { jitter }) }
  return { amount, schedule, connections: Math.min(amount, wanted, mostConnections) }
}

/** The setting for how much of the limit a load sends; `what` says so in the reference. */
export const overshootSetting = (usual: number, most = 10, what = 'it sends', each = '') =>
  amount(
    1.05,
    most,
    usual,
    `How much of the limit ${what}: at ${usual}, ${60 * usual} requests${each} for a limit of 60.`,
  )

export const connectionsSetting = (usual = 50) => whole(1, 500, usual, 'How many connections it uses.')
