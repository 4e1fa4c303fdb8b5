import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitAsTold } from '../moves/gentle.js'
import { leastBeyondLimit } from '../moves/spending.js'
import { defineProbe } from '../probe.js'

/** What a short day is sent. */
const leastOf = (limit: number): number => limit + leastBeyondLimit

/** When the question in the silence comes, in windows after the burst: a bucket is half full again then. */
const askedAfter = 0.5

/**
 * A burst as the first requests of a key after a silence: nothing opens the window before, so that a limiter sets up
 * what it keeps of a key under load. Then one request in the middle of the window, and the wait.
 */
export const coldStart = defineProbe({
  id: 'cold-start',
  summary:
    'Sends more than the limit at once as the first requests after a silence, when the limiter has nothing on record of the key.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    overshoot: z
      .number()
      .min(1.05)
      .max(10)
      .default(1.2)
      .describe('How much of the limit it sends: at 1.2, 72 requests for a limit of 60.'),
    connections: z.int().min(1).max(500).default(50).describe('Connections over which they go.'),
  }),
  cost: ({ quota }, { overshoot }) => ({
    keyed: Math.ceil(quota.minute * overshoot) + gentleCost,
    strangers: 0,
    minutes: 2.1,
  }),
  least: ({ quota }) => leastOf(quota.minute) + gentleCost,
  async play(context, { overshoot, connections }) {
    const { key, minuteMs } = context
    const least = leastOf(key.quota.minute)
    const amount = context.isShort ? least : Math.ceil(key.quota.minute * overshoot)
    await beSilent(context)
    const startedAt = context.now()
    const used = Math.min(connections, amount)
    await context.load({ id: `cold-start-${key.name}`, connections: used, amount, least, keeps: gentleCost })
    await waitAsTold(context, await askGently(context, startedAt + askedAfter * minuteMs))
  },
})
