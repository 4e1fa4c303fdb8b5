import { z } from 'zod'
import { secondMs, secondsMatterMs } from '../../contract/plans.js'
import type { StepOf } from '../../contract/probe-catalogue.js'
import type { Exchange } from '../../evidence/exchange.js'
import { flag, whole } from '../../kit/described.js'
import { askForEarliest, askJustBefore, mostAskedForShorter, partsCost } from '../moves/earliest-wait.js'
import { beSilent, isSlowToSpend, mostOpeners, openFreshWindow, roundTripMargin } from '../moves/fresh-window.js'
import {
  askGently,
  askInBlock,
  askOneByOne,
  beClearlyLater,
  clearlyLaterMs,
  mostAskedForEnd,
  oneByOneCost,
  pollNextEnd,
  resetBefore,
  waitAsTold,
  waitPastLoad,
  windowAfter,
} from '../moves/gentle.js'
import { askForLastPlaces, lastPlacesCost } from '../moves/last-places.js'
import {
  amountAtOnce,
  amountInPace,
  amountToSpend,
  atOnce,
  atOnceCost,
  connectionsSetting,
  isRoomyOther,
  isSmallest,
  isSpared,
  leastBeyondLimit,
  leastToShow,
  overshootSetting,
  plansSetting,
  untilRefused,
  windowsInPace,
} from '../moves/loads.js'
import {
  askedWhileRefusedCost,
  askWhileRefused,
  changedWhileRefused,
  readOnceServed,
  readOnceServedCost,
  strangersWhileRefused,
} from '../moves/refused-key.js'
import { defineLoad, type KeyFacts, type ProbeContext } from '../probe.js'

/**
 * How much of the wait's last second is left when a key is refused, in seconds: another part on each key, because waits
 * that are cut off or rounded to the nearest second are too short in some parts only.
 */
const partsLeft = [0.35, 0.15, 0.6, 0.85]

/** When a spent key is asked, in windows after the opener: early, and once when a bucket has refilled some more. */
const [askedFirst, askedAgain] = [0.2, 0.4]
/** How long a window has to last for these questions, in windows. */
const askedFor = 0.45

/** The least silence before such a question, in windows. */
const leastSilence = 0.1

/** The moment this share of a window after the opener, delayed so that the key's own part of a second is left. */
const momentAfter = (context: ProbeContext, opener: Exchange, share: number): number => {
  const { windowMs, keys, key } = context
  const soonest = context.now() + leastSilence * windowMs
  const aimed = opener.sentAt + share * windowMs
  if (windowMs < secondsMatterMs) return Math.max(aimed, soonest)
  const place = keys.findIndex(({ name }) => name === key.name)
  const at = aimed + secondMs * (1 - partsLeft[place % partsLeft.length])
  return at + secondMs * Math.max(0, Math.ceil((soonest - at) / secondMs))
}

/**
 * What is sent on the main key before its first load may count or not. Of two keys with room only the smaller one shows
 * what opened its first window, once that is spent; of more, one that isolation spends shows it.
 */
const showsFirstWindow = (key: KeyFacts, keys: readonly KeyFacts[]): boolean =>
  isSmallest(key, keys) && keys.filter((each) => isRoomyOther(each, keys)).length === 1

/**
 * How long a key is left alone after its load, in windows: if an idle key is forgotten, its quota is back before the
 * moment that its answers name, in a minute by more than the seconds to which that may be rounded.
 */
const longestSilence = 0.72

/** Whether this key is the silent one: the one spent soonest, as one shows it for all, and others are asked meanwhile. */
const isSilentAfter = (key: KeyFacts, keys: readonly KeyFacts[]): boolean =>
  isRoomyOther(key, keys) && keys.every((other) => !isRoomyOther(other, keys) || other.quota.limit >= key.quota.limit)

/** What a silence and a load take besides whole windows of silence, in windows. */
const aroundSilence = 0.1

/** Requests beside loads and bounded moves: three openers, a question, two that wait, the list, three to spare. */
const besideLoad = 10

/** Questions after the load on a short day: one at once, one early, and two that wait. */
const questionsAfter = 4

/** No limiter counts what came before two windows of silence. */
const longSilence = 2

/** How much of a window a burst may take on a short day. No more of it is in flight at once than that needs. */
const shareOfWindow = 0.05

/**
 * When a key with a short day that was served early is spent again, in windows after the opener. A bucket has got part
 * of its quota back; the second time, that is more than a sliding counter admits, which weighs the first.
 */
const spentAgain = [0.5, 1.25] as const

/** So few that little is in flight when the first refusal ends a load. */
const fewConnections = 2

/** Spends what a bucket has got back, twice; only once if it got more back, because a new window began. */
const spendAgain = async (context: ProbeContext, opener: Exchange): Promise<void> => {
  const { windowMs, key } = context
  const amount = leastToShow(key.quota.limit)
  let spentAt = opener.sentAt
  for (const share of spentAgain) {
    await context.waitUntil(momentAfter(context, opener, share), 'a bucket to refill')
    const back = (key.quota.limit * (context.now() - spentAt)) / windowMs
    spentAt = context.now()
    const early = { id: `early-${key.name}`, connections: Math.min(fewConnections, amount), amount }
    const { ledger, refusals } = await context.load({ ...early, stop: untilRefused })
    if (ledger.rows.length - refusals > back + leastBeyondLimit) return
  }
}

/**
 * The burst on a short day, after so long a silence that no limiter counts anything from before. It has to be certain
 * which requests came before others: so few are in flight at once, the first refusal ends it, and a request clearly
 * later shows that no window began after its last one.
 */
const burstOnShortDay = async (
  context: ProbeContext<StepOf<'burst'>>,
  { connections, end }: { readonly connections: number; readonly end: 'told' | 'found' | 'load' },
): Promise<void> => {
  const { windowMs, key } = context
  const leastInAll = leastToShow(key.quota.limit) + questionsAfter
  const asksMore =
    isSmallest(key, context.keys) && context.hasRoom(leastInAll + askedWhileRefusedCost + readOnceServedCost + 1)
  const pets = asksMore && context.hasInventory ? await context.inventory('before') : []
  const least = leastToShow(key.quota.limit) - 1
  const inTime = (least * context.longestRoundTripMs() * roundTripMargin) / (shareOfWindow * windowMs)
  const used = Math.min(connections, least, Math.ceil(inTime))
  const opener = await openFreshWindow(context, least / used, longSilence)
  const { ledger, refusals } = await context.load({
    id: `burst-${key.name}`,
    connections: used,
    amount: least + Math.ceil(shareOfWindow * key.quota.limit),
    least,
    keeps: questionsAfter,
    stop: untilRefused,
  })
  if (refusals === 0) return
  await askGently(context, context.now() + clearlyLaterMs(context))
  const first = await askGently(context, momentAfter(context, opener, askedFirst))
  if (asksMore) await askWhileRefused(context, pets)
  if (first.response?.status === 200) await spendAgain(context, opener)
  const last = await askJustBefore(context, opener, await askInBlock(context, ledger.rows, first))
  await waitPastLoad(context, opener, ledger.rows, last)
  await waitAsTold(context, last)
  // All of it at once, just after a window's end: no limiter that weighs the window before admits that.
  if (end === 'found' && context.hasRoom(least))
    await context.load({ id: `next-${key.name}`, connections: used, amount: least, stop: untilRefused })
  if (asksMore) await readOnceServed(context)
}

/**
 * Sends more than the plan's limit at once into a fresh window, over many connections, and single requests in the
 * silence after it. Then it waits as long as the last refusal says, or a shorter time that one of a few more names if
 * the waits of the burst contradict each other, and asks once. With the opener that is `overshoot` times the limit: for
 * a limit of 60, 1 + 89; more to a slow target, and to a small limit.
 */
export const burst = defineLoad({
  id: 'burst',
  summary:
    'Sends more than the limit at once into a fresh window, then single requests while the key is refused, and one when the wait is over.',
  leavesChanged: changedWhileRefused,
  settings: {
    overshoot: overshootSetting(1.5),
    connections: connectionsSetting(),
    // One suffices for all but a sliding counter, which weighs the window before.
    silence: whole(
      0,
      3,
      1,
      'Windows of silence before it. 0: one window on the smallest key, and on other keys only if their Remaining does not show half of the quota.',
    ),
    end: z
      .enum(['told', 'found', 'load'])
      .default('told')
      .describe(
        "How it ends. load: with the load itself; told: with one request when the refusal's wait is over; found: with requests around that time, which show the window's end precisely.",
      ),
    opener: flag(
      'Whether one request opens the window before the burst. Without it, the burst itself opens the window.',
    ).default(true),
    plans: plansSetting,
  },
  cost: (key, { overshoot, silence, end, plans }, keys) => {
    if (isSpared(key.plan, plans)) return { keyed: 0 }
    const silent = isSmallest(key, keys) ? Math.max(1, silence) : silence
    const whole = Math.max(Math.ceil(key.quota.limit * overshoot), atOnceCost(key.quota.limit), amountInPace(key))
    return end === 'load'
      ? {
          keyed: whole + mostOpeners + 2 * oneByOneCost(key.quota.limit),
          minutes: aroundSilence + silent + windowsInPace(key),
        }
      : {
          ...(isSmallest(key, keys) && { strangers: strangersWhileRefused, strangersWithKey: strangersWhileRefused }),
          keyed:
            whole +
            key.quota.limit +
            (silence === 0 && showsFirstWindow(key, keys) ? amountToSpend(key.quota.limit) : 0) +
            besideLoad +
            Math.max(mostAskedForShorter, mostAskedForEnd) +
            partsCost +
            (isSmallest(key, keys) ? askedWhileRefusedCost + readOnceServedCost : 0) +
            (isSmallest(key, keys) && end === 'found' ? lastPlacesCost(key.quota.limit) : 0),
          minutes: 1 + aroundSilence + silent + windowsInPace(key),
        }
  },
  least: ({ plan, quota }, { plans }) => (isSpared(plan, plans) ? 0 : leastToShow(quota.limit) + questionsAfter),
  async play(context, { overshoot, connections, silence, end, opener: isOpened, plans }) {
    if (isSpared(context.key.plan, plans)) return
    if (context.isShort) return burstOnShortDay(context, { connections, end })
    const asksMore = isSmallest(context.key, context.keys)
    // This reading opens a window that has to end before the burst's: one that lasts too long shows.
    const pets = end !== 'load' && asksMore && context.hasInventory ? await context.inventory('before') : []
    const { limit } = context.key.quota
    const isSlow = isSlowToSpend(context)
    const lines = atOnce(context, connections)
    const whole = isSlow ? Math.max(leastToShow(limit), amountInPace(context.key)) : Math.ceil(limit * overshoot)
    const amount = (isSlow ? whole : amountAtOnce(context, connections, whole)) - 1
    const used = Math.min(lines, amount)
    const isSpent = end === 'found' && pets.length > 0 && !isSlow && (await askForLastPlaces(context, pets))
    if (silence === 0 && !isSpent && showsFirstWindow(context.key, context.keys))
      await context.load({ id: `first-${context.key.name}`, connections: used, amount: amountToSpend(limit) })
    const leastSilent = asksMore ? Math.max(1, silence) : silence
    // Of a limit of 1 an opener is all, and leaves no last place that simultaneous requests could all get.
    const opener =
      isOpened && !(limit === 1 && end === 'load')
        ? await openFreshWindow(context, amount / used, leastSilent, askedFor * context.windowMs)
        : await beSilent(context, leastSilent)
    if (opener) await beClearlyLater(context)
    await askOneByOne(context, 'full')
    const { ledger, refusals } = await context.load({
      id: `burst-${context.key.name}`,
      connections: used,
      amount,
      // At a set pace, any more would take up the time in which the key is refused.
      ...(isSlow && { stop: untilRefused }),
    })
    if (refusals > 0) await askOneByOne(context, 'empty')
    if (refusals === 0 || end === 'load' || !opener) return
    if (asksMore) {
      await beClearlyLater(context)
      await askWhileRefused(context, pets)
    }
    const isSilent = end === 'found' && isSilentAfter(context.key, context.keys)
    const silentUntil = context.lastUsedAt() + longestSilence * context.windowMs
    const first = await askGently(context, isSilent ? silentUntil : momentAfter(context, opener, askedFirst))
    // The first question tests a Reset that comes before Retry-After: it has the most time left to be wrong by.
    const early = resetBefore(context, first)
    const askOnceMore = () =>
      early === undefined
        ? askForEarliest(context, ledger.rows, momentAfter(context, opener, askedAgain))
        : askGently(context, early)
    const last = isSilent ? first : await askOnceMore()
    if (last.response?.status === 200)
      await context.load({
        id: `early-${context.key.name}`,
        connections: Math.min(fewConnections, used),
        amount: limit,
        keeps: 2,
        stop: untilRefused,
      })
    const refusal = await askInBlock(context, ledger.rows, last)
    if (end === 'found' && context.blockedForMs === 0)
      await pollNextEnd(context, opener.sentAt + context.windowMs, {
        behindLoad: windowAfter(context, opener, ledger.rows),
      })
    else await waitAsTold(context, refusal)
    if (asksMore) await readOnceServed(context)
  },
})
