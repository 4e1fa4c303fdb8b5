import { z } from 'zod'
import { secondMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { mostOpeners, openFreshWindow, roundTripMargin } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitForReset } from '../moves/gentle.js'
import { connectionsSetting } from '../moves/loads.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/** The gap between each burst and where the boundary may lie, in windows. */
const gapWindows = 0.02

/** A Reset nearer than this, in windows, is a bucket's next token, and no end of a window. */
const leastToEnd = 0.3

/** The first burst begins no earlier than this before the end, in windows, however slow the target is. */
const mostForBurst = 0.5

/** A question in the silence after the second burst, in windows from its end. */
const askedAfter = 0.2

/** When the opener's window can end, earliest and latest: as Reset says if plausible, else W after the opener. */
const endOf = (context: ProbeContext, opener: Exchange): { earliest: number; latest: number } => {
  const { limit, resetAt } = context.hintsOf(opener)
  const { windowMs, key } = context
  const soonest = opener.sentAt + leastToEnd * windowMs
  const isPlausible = limit === key.quota.limit && resetAt !== undefined && resetAt - secondMs > soonest
  if (isPlausible && resetAt < opener.endedAt + windowMs + 2 * secondMs) {
    return { earliest: resetAt - secondMs, latest: resetAt }
  }
  return { earliest: opener.sentAt + windowMs, latest: opener.endedAt + windowMs }
}

/** On a short day half the limit after the end is enough: a window that has not ended refuses all of it. */
const leastAfter = (limit: number): number => Math.ceil(limit / 2)

/**
 * Sends the limit just before a window's end and the limit again just after it. A fixed window may admit both, a log
 * refuses the second: so this tells them apart.
 */
export const boundary = defineProbe({
  id: 'boundary',
  summary:
    "Sends the limit just before a window's end and again just after it, which tells a fixed window from a sliding one.",
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    connections: connectionsSetting(),
  }),
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
    await waitForReset(context, await askGently(context, context.now() + askedAfter * windowMs))
  },
})
