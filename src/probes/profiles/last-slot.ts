import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitAsTold } from '../moves/gentle.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/** The share of a window in which all but the last place is to be spent: a slow target gets more connections for it. */
const spendingShare = 0.4

/** Most connections that a slow target gets. */
const mostConnections = 50

/** As few connections as can spend so much in time: with one, which a near target gets, nothing overtakes. */
const connectionsFor = (context: ProbeContext, amount: number): number =>
  Math.min(
    amount,
    mostConnections,
    Math.ceil((amount * context.longestRoundTripMs()) / (spendingShare * context.windowMs)) || 1,
  )

/** Requests at once for the last place on a short day: where check and count are two steps, some two get it. */
const fewRivals = 8

/** When the question in the silence comes, in windows after the start: after both loads, before the window's end. */
const askedAfter = 0.7

/** Spends all that the limit allows but one, gently, and then sends many requests at once for the last place. */
export const lastSlot = defineProbe({
  id: 'last-slot',
  summary: 'Spends all of the limit but one, then sends many requests at once for the last place: only one may get it.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    rivals: z.int().min(2).max(500).default(50).describe('How many requests ask for the last place at once.'),
  }),
  cost: ({ quota }, { rivals }) => ({ keyed: quota.limit - 1 + rivals + gentleCost, minutes: 2.1 }),
  least: ({ quota }, { rivals }) => quota.limit - 1 + Math.min(rivals, fewRivals) + gentleCost,
  async play(context, { rivals }) {
    const { key, windowMs } = context
    const amount = key.quota.limit - 1
    await beSilent(context)
    const startedAt = context.now()
    if (amount > 0) {
      const used = connectionsFor(context, amount)
      await context.load({ id: `all-but-one-${key.name}`, connections: used, amount, least: amount })
    }
    const asking = context.isShort ? Math.min(rivals, fewRivals) : rivals
    await context.load({ id: `last-slot-${key.name}`, connections: asking, amount: asking, keeps: gentleCost })
    await waitAsTold(context, await askGently(context, startedAt + askedAfter * windowMs))
  },
})
