import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, waitAsTold } from '../moves/gentle.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/** The share of a window in which all but the last place is spent: a slow target gets more connections for it. */
const spendingShare = 0.4

/** As few connections as can spend so much in time; one, where the target is near: then nothing overtakes anything. */
const connectionsFor = (context: ProbeContext, amount: number): number =>
  Math.min(amount, 50, Math.ceil((amount * context.longestRoundTripMs()) / (spendingShare * context.minuteMs)) || 1)

/** Of a short day: so few that ask at once for the last place show a race too. */
const fewRivals = 8

/** One in the silence, and two for the wait. */
const questionsAfter = 3

/** All that the limit allows but one, gently, and then many that ask at once for the last place. */
export const lastSlot = defineProbe({
  id: 'last-slot',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({ rivals: z.int().min(2).max(500).default(50) }),
  cost: ({ quota }, { rivals }) => ({ keyed: quota.minute + rivals + 2, strangers: 0, minutes: 2.1 }),
  least: ({ quota }, { rivals }) => quota.minute - 1 + Math.min(rivals, fewRivals) + questionsAfter,
  async play(context, { rivals }) {
    const { key, minuteMs } = context
    const amount = key.quota.minute - 1
    await beSilent(context)
    const startedAt = context.now()
    if (amount > 0) {
      const used = connectionsFor(context, amount)
      await context.load({ id: `all-but-one-${key.name}`, connections: used, amount, least: amount })
    }
    const asking = context.isShort ? Math.min(rivals, fewRivals) : rivals
    await context.load({ id: `last-slot-${key.name}`, connections: asking, amount: asking, keeps: questionsAfter })
    await waitAsTold(context, await askGently(context, startedAt + 0.7 * minuteMs))
  },
})
