import { amount, texts, whole } from '../../kit/described.js'
import type { Schedule } from '../../wire/load/schedule.js'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'

/** What ends a load with its first refusal. */
export const untilRefused: LoadPlan['stop'] = { kind: 'status', is: [429] }

/** Connections over which a key is spent: so many requests at once show a count that is checked before it is raised. */
export const spendingConnections = 20

/** As few connections as can spend so much in a share of a window: with one, which a near target gets, nothing overtakes. */
export const connectionsFor = (context: ProbeContext, amount: number, share: number, most: number): number =>
  Math.min(amount, most, Math.ceil((amount * context.longestRoundTripMs()) / (share * context.windowMs)) || 1)

/** So many requests are to be decided in each millisecond, that some two meet in a count that is raised 1 ms late. */
const decidedEachMs = 2

/** Connections over which requests go at once, however slow the target is. */
const mostAtOnce = 250

/**
 * Over how many connections a load goes: of requests that a target takes long to decide more have to be under way at once, for as
 * many to be decided in each millisecond. Answers after 80 ms usually take 160. More than a target is slow for only queue in it,
 * and then nobody can tell when each was decided.
 */
export const atOnce = (context: Pick<ProbeContext, 'usualRoundTripMs'>, connections: number): number =>
  Math.max(connections, Math.min(mostAtOnce, Math.ceil(decidedEachMs * context.usualRoundTripMs())))

/** The most that is sent at once for that, in limits, and to a small limit: what is refused costs no quota. */
const [mostInLimits, mostToSmall] = [2.2, 100]

/** What a load takes at most that is to go at once on a small limit; 0 where the limit is not small. */
export const atOnceCost = (limit: number): number => (mostInLimits * limit < mostToSmall ? mostToSmall : 0)

/** Where an answer takes more than this share of a window, what goes at once is decided in several: no more is sent then. */
const mostOfWindow = 0.1

/**
 * The amount of a load that spends a key at once: more where the target is slow or the limit small, so that requests are still
 * under way when the last place is taken. A block begins with so many refusals in a row, and a shorter quota refuses what comes
 * at once: there it stays as it is.
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

/** The plans on whose keys a load is put; on all where none is named. */
export const plansSetting = texts(
  'Only on the keys of these plans, or on these credentials of a contract. Default: on all.',
).optional()

/** Whether the settings name other plans, and not this one. */
export const isSpared = (plan: string, plans?: readonly string[]): boolean => plans?.includes(plan) === false

/** Spends a key for certain: its limit, a twentieth for a bucket that refills meanwhile (3 s of a minute), and two. */
export const amountToSpend = (limit: number): number => limit + Math.ceil(limit / 20) + 2

/** What spends it on a short day. */
export const leastToSpend = (limit: number): number => limit + 2

/** Requests beyond the limit that show an extra admission on a short day: one admitted, and two refused. */
export const leastBeyondLimit = 3

/** What a short day is sent to show one. */
export const leastToShow = (limit: number): number => limit + leastBeyondLimit

/** What goes beyond a limit: its overshoot, and of a small limit, of which that is next to nothing, as much as shows one. */
export const amountBeyond = (limit: number, overshoot: number): number =>
  Math.max(leastToShow(limit), Math.ceil(limit * overshoot))

/** No bucket is emptied at any price: so many limits are sent at most. */
const mostLimits = 5

/**
 * What a key is sent that a shorter quota holds to a pace, until it is refused: a bucket gets part of it back meanwhile.
 * Of 40 in 12 s, at 54 in 12 s, that is 40 x 54 / (54 - 40) = 155, and a few more. 0 where no pace is kept.
 */
export const amountInPace = ({ quota: { limit }, mostPerWindow }: KeyFacts): number => {
  if (mostPerWindow === undefined) return 0
  const beyond = mostPerWindow - limit
  const emptied = beyond > 0 ? (limit * mostPerWindow) / beyond : Number.POSITIVE_INFINITY
  return Math.ceil(Math.min(emptied, mostLimits * limit)) + leastBeyondLimit
}

/** For how many windows that goes on; 0 where no pace is kept. */
export const windowsInPace = (key: KeyFacts): number => amountInPace(key) / (key.mostPerWindow ?? 1)

/** A key whose day has fewer minutes' worth is spared: the loads that test its limit need every request. */
const leastMinutesInDay = 10

export const hasShortDay = ({ quota }: KeyFacts): boolean => quota.longer < leastMinutesInDay * quota.limit

/** The key with the smallest minute, which a slow target refuses soonest; a key with a short day only if all are. */
export const smallestOf = (keys: readonly KeyFacts[]): KeyFacts => {
  const roomy = keys.filter((key) => !hasShortDay(key))
  return (roomy.length > 0 ? roomy : keys).reduce((best, key) => (key.quota.limit < best.quota.limit ? key : best))
}

/** Whether a key is that one. */
export const isSmallest = ({ name }: KeyFacts, keys: readonly KeyFacts[]): boolean => name === smallestOf(keys).name

/** Whether a key is another one than that, with room in its day for loads beside those that test its limit. */
export const isRoomyOther = (key: KeyFacts, keys: readonly KeyFacts[]): boolean =>
  !hasShortDay(key) && !isSmallest(key, keys)

/** The main key, with the largest minute: single exchanges are played on it. */
export const mainKeyOf = (keys: readonly KeyFacts[]): KeyFacts =>
  keys.reduce((best, key) => (key.quota.limit > best.quota.limit ? key : best))

/** Answers may take so long without delaying the schedule: 60 a minute get three connections, 1,000 a minute 11. */
const patienceMs = 500
/** Two beside those, for an answer that takes longer now and then. */
const spareConnections = 2
const mostConnections = 100

/** `perWindow` requests in each window, evenly spaced but for the jitter, over `windows` windows; with connections for slow answers. */
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

/** How much of the limit a load sends, where nothing else is said; `what` says so for the reference. */
export const overshootSetting = (usual: number, most = 10, what = 'it sends', each = '') =>
  amount(
    1.05,
    most,
    usual,
    `How much of the limit ${what}: at ${usual}, ${60 * usual} requests${each} for a limit of 60.`,
  )

/** Over how many connections a load goes, where nothing else is said. */
export const connectionsSetting = (usual = 50) => whole(1, 500, usual, 'How many connections it uses.')
