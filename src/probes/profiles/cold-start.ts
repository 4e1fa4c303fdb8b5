import { z } from 'zod'
import { beSilent } from '../moves/fresh-window.js'
import { askGently, gentleCost, waitAsTold } from '../moves/gentle.js'
import { connectionsSetting, leastToShow, overshootSetting } from '../moves/loads.js'
import { defineProbe } from '../probe.js'

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
    overshoot: overshootSetting(1.2),
    connections: connectionsSetting(),
  }),
  cost: ({ quota }, { overshoot }) => ({
    keyed: Math.ceil(quota.limit * overshoot) + gentleCost,
    minutes: 2.1,
  }),
  least: ({ quota }) => leastToShow(quota.limit) + gentleCost,
  async play(context, { overshoot, connections }) {
    const { key, windowMs } = context
    const least = leastToShow(key.quota.limit)
    const amount = context.isShort ? least : Math.ceil(key.quota.limit * overshoot)
    await beSilent(context)
    const startedAt = context.now()
    const used = Math.min(connections, amount)
    await context.load({ id: `cold-start-${key.name}`, connections: used, amount, least, keeps: gentleCost })
    await waitAsTold(context, await askGently(context, startedAt + askedAfter * windowMs))
  },
})
