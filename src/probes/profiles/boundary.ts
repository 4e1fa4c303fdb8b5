import { z } from 'zod'
import type { Exchange } from '../../evidence/exchange.js'
import { openFreshWindow } from '../moves/fresh-window.js'
import { askGently, waitForReset } from '../moves/gentle.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/** A moment in whole seconds stands for a second. */
const roundingMs = 1_000

/** How far from the boundary's earliest and latest moment the two bursts keep, in windows. */
const keptAway = 0.02

/**
 * Where the window that the opener opened, or met, can end: as Reset says where that is plausible, else a window after
 * the opener. A bucket's Reset is the next token's, and no end.
 */
const endOf = (context: ProbeContext, opener: Exchange): { earliest: number; latest: number } => {
  const { limit, resetAt } = context.hintsOf(opener)
  const { minuteMs, key } = context
  const soonest = opener.sentAt + 0.3 * minuteMs
  const isPlausible = limit === key.quota.minute && resetAt !== undefined && resetAt - roundingMs > soonest
  if (isPlausible && resetAt < opener.endedAt + minuteMs + 2 * roundingMs) {
    return { earliest: resetAt - roundingMs, latest: resetAt }
  }
  return { earliest: opener.sentAt + minuteMs, latest: opener.endedAt + minuteMs }
}

/** Of a short day: so many just after the end tell a window that does not end from one that does. */
const leastAfter = (limit: number): number => Math.ceil(limit / 2)

/** The openers that a fresh window may take, and the questions after the loads: one in the silence, two for the wait. */
const mostOpeners = 3
const questionsAfter = 3

/**
 * The limit just before a window's end, and the limit again just after it. A fixed window may admit both; what a
 * sliding one admits of the second tells it from the others.
 */
export const boundary = defineProbe({
  id: 'boundary',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({ connections: z.int().min(1).max(500).default(50) }),
  cost: ({ quota }) => ({ keyed: quota.minute * 2 + 6, strangers: 0, minutes: 3.2 }),
  least: ({ quota }) => quota.minute - 1 + leastAfter(quota.minute) + mostOpeners + questionsAfter,
  async play(context, { connections }) {
    const { key, minuteMs } = context
    const amount = key.quota.minute
    const used = Math.min(connections, amount)
    const takesMs = (amount / used) * context.longestRoundTripMs() * 1.5
    const { earliest, latest } = endOf(context, await openFreshWindow(context, amount / used))
    const away = keptAway * minuteMs
    await context.waitUntil(earliest - away - Math.min(takesMs, 0.5 * minuteMs), 'the end of the window')
    await context.load({ id: `before-end-${key.name}`, connections: used, amount: Math.max(1, amount - 1) })
    await context.waitUntil(latest + away, 'the beginning of the next window')
    const least = leastAfter(amount)
    await context.load({ id: `after-end-${key.name}`, connections: used, amount, least, keeps: questionsAfter })
    await waitForReset(context, await askGently(context, context.now() + 0.2 * minuteMs))
  },
})
