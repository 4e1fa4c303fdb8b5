import { z } from 'zod'
import { evenPace } from '../moves/even-pace.js'
import { beSilent } from '../moves/fresh-window.js'
import { defineProbe } from '../probe.js'

/**
 * Sends just under the limit, evenly, over whole windows: every admissible limiter serves all of it. One that counts
 * too much, or gives back too late, refuses some.
 */
export const steady = defineProbe({
  id: 'steady',
  summary: 'Sends a little less than the limit, evenly, over whole windows: all of it has to be admitted.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    share: z.number().min(0.1).max(0.98).default(0.95).describe('The share of the limit that it sends in each window.'),
    windows: z.int().min(1).max(10).default(2).describe('For how many windows.'),
  }),
  cost: ({ quota }, { share, windows }) => ({
    keyed: Math.ceil(quota.limit * share * windows),
    minutes: 1.1 + windows,
  }),
  least: ({ quota }, { share }) => Math.ceil(quota.limit * share),
  async play(context, { share, windows }) {
    await beSilent(context)
    const pace = evenPace(context, context.key.quota.limit * share, context.isShort ? 1 : windows)
    await context.load({ id: `steady-${context.key.name}`, ...pace, least: pace.amount })
  },
})
