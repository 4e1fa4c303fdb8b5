import { secondMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { whole } from '../../kit/described.js'
import { beSilent, mostOpeners, openFreshWindow, roundTripMargin } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitAsTold, waitForReset } from '../moves/gentle.js'
import { amountBeyond, connectionsFor, connectionsSetting, leastToShow, overshootSetting } from '../moves/loads.js'
import { defineLoad, type Probe, type ProbeContext } from '../probe.js'

/** The share of a window in which all but the last place is to be spent: a slow target gets more connections for it. */
const spendingShare = 0.4

/** The most connections used against a slow target. */
const mostConnections = 50

/** Requests at once for the last place on a short day: if check and count are two steps, two of them get it. */
const fewRivals = 8

/**
 * When the question in the silence comes, in windows: for the last slot after both loads, before the window's end,
 * counted from the start; for a cold start when a bucket is half full again; else after the second burst.
 */
const askedAfter = { lastSlot: 0.7, coldStart: 0.5, afterEnd: 0.2 } as const

/** Spends all that the limit allows but one, gently, and then sends many requests at once for the last place. */
const lastSlot = defineLoad({
  id: 'last-slot',
  summary: 'Spends all of the limit but one, then sends many requests at once for the last place: only one may get it.',
  settings: { rivals: whole(2, 500, 50, 'How many requests ask for the last place at once.') },
  cost: ({ quota }, { rivals }) => ({ keyed: quota.limit - 1 + rivals + gentleCost, minutes: 2.1 }),
  least: ({ quota }, { rivals }) => quota.limit - 1 + Math.min(rivals, fewRivals) + gentleCost,
  async play(context, { rivals }) {
    const { key, windowMs } = context
    const amount = key.quota.limit - 1
    await beSilent(context)
    const startedAt = context.now()
    if (amount > 0) {
      const used = connectionsFor(context, amount, spendingShare, mostConnections)
      await context.load({ id: `all-but-one-${key.name}`, connections: used, amount, least: amount })
    }
    const asking = context.isShort ? Math.min(rivals, fewRivals) : rivals
    await context.load({ id: `last-slot-${key.name}`, connections: asking, amount: asking, keeps: gentleCost })
    await waitAsTold(context, await askGently(context, startedAt + askedAfter.lastSlot * windowMs))
  },
})

/**
 * A burst as a key's first requests after a silence: nothing opens the window before it, so a limiter sets up its
 * record of the key under load. Then one request in the middle of the window, and the wait.
 */
const coldStart = defineLoad({
  id: 'cold-start',
  summary:
    'Sends more than the limit at once as the first requests after a silence, when the limiter has no record of the key.',
  settings: { overshoot: overshootSetting(1.2), connections: connectionsSetting() },
  cost: ({ quota }, { overshoot }) => ({
    keyed: amountBeyond(quota.limit, overshoot) + gentleCost,
    minutes: 2.1,
  }),
  least: ({ quota }) => leastToShow(quota.limit) + gentleCost,
  async play(context, { overshoot, connections }) {
    const { key, windowMs } = context
    const least = leastToShow(key.quota.limit)
    const amount = context.isShort ? least : amountBeyond(key.quota.limit, overshoot)
    await beSilent(context)
    const startedAt = context.now()
    const used = Math.min(connections, amount)
    await context.load({ id: `cold-start-${key.name}`, connections: used, amount, least, keeps: gentleCost })
    await waitAsTold(context, await askGently(context, startedAt + askedAfter.coldStart * windowMs))
  },
})

/** The gap between each burst and where the boundary may lie, in windows. */
const gapWindows = 0.02

/** A Reset nearer than this, in windows, is a bucket's next token, and no end of a window. */
const leastToEnd = 0.3

/** The first burst begins no earlier than this before the end, in windows, however slow the target is. */
const mostForBurst = 0.5

/** When the opener's window can end, earliest and latest: as Reset says if plausible, else W after the opener. */
const endOf = (context: ProbeContext, opener: Exchange): { earliest: number; latest: number } => {
  const { limit, resetAt } = context.hintsOf(opener)
  const { windowMs, key } = context
  const soonest = opener.sentAt + leastToEnd * windowMs
  const isPlausible = limit === key.quota.limit && resetAt !== undefined && resetAt - secondMs > soonest
  if (isPlausible && resetAt < opener.endedAt + windowMs + 2 * secondMs)
    return { earliest: resetAt - secondMs, latest: resetAt }
  return { earliest: opener.sentAt + windowMs, latest: opener.endedAt + windowMs }
}

/** On a short day half the limit after the end is enough: a window that has not ended refuses all of it. */
const leastAfter = (limit: number): number => Math.ceil(limit / 2)

/** Sends the limit just before a window's end and just after it: a fixed window may admit both, a log does not. */
const boundary = defineLoad({
  id: 'boundary',
  summary:
    "Sends the limit just before a window's end and again just after it: this distinguishes a fixed window from a sliding one.",
  settings: { connections: connectionsSetting() },
  cost: ({ quota }) => ({ keyed: quota.limit * 2 + mostOpeners + gentleCost, minutes: 3.2 }),
  least: ({ quota }) => quota.limit - 1 + leastAfter(quota.limit) + mostOpeners + gentleCost,
  async play(context, { connections }) {
    const { key, windowMs } = context
    const amount = key.quota.limit
    const used = Math.min(connections, amount)
    const takesMs = (amount / used) * context.longestRoundTripMs() * roundTripMargin
    const { earliest, latest } = endOf(context, await openFreshWindow(context, amount / used))
    const gapMs = gapWindows * windowMs
    await context.waitUntil(earliest - gapMs - Math.min(takesMs, mostForBurst * windowMs), 'the end of the window')
    await context.load({ id: `before-end-${key.name}`, connections: used, amount: Math.max(1, amount - 1) })
    await context.waitUntil(latest + gapMs, 'the beginning of the next window')
    const least = leastAfter(amount)
    await context.load({ id: `after-end-${key.name}`, connections: used, amount, least, keeps: gentleCost })
    await waitForReset(context, await askGently(context, context.now() + askedAfter.afterEnd * windowMs))
  },
})

export const placedBursts: readonly Probe[] = [coldStart, lastSlot, boundary]
