import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, waitAsTold } from '../moves/gentle.js'
import { defineProbe } from '../probe.js'

/** Of a short day: so few more than the limit tell an extra admission too. */
const leastOf = (limit: number): number => limit + 3

/** One in the middle, and two for the wait. */
const questionsAfter = 3

/**
 * A burst as a key's first requests after a silence: nothing opens the window before it, so that whatever a limiter
 * sets up for a key it has not seen lately is set up under load. Then one request in the middle, and the wait.
 */
export const coldStart = defineProbe({
  id: 'cold-start',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    overshoot: z.number().min(1.05).max(10).default(1.2),
    connections: z.int().min(1).max(500).default(50),
  }),
  cost: ({ quota }, { overshoot }) => ({ keyed: Math.ceil(quota.minute * overshoot) + 3, strangers: 0, minutes: 2.1 }),
  least: ({ quota }) => leastOf(quota.minute) + questionsAfter,
  async play(context, { overshoot, connections }) {
    const { key, minuteMs } = context
    const least = leastOf(key.quota.minute)
    const amount = context.isShort ? least : Math.ceil(key.quota.minute * overshoot)
    await beSilent(context)
    const startedAt = context.now()
    const used = Math.min(connections, amount)
    await context.load({ id: `cold-start-${key.name}`, connections: used, amount, least, keeps: questionsAfter })
    await waitAsTold(context, await askGently(context, startedAt + 0.5 * minuteMs))
  },
})
