import { z } from 'zod'
import { defineProbe } from '../probe.js'

/** Requests in a row on one key, one after the other: Remaining has to follow them (RATE-4). */
export const headerRow = defineProbe({
  id: 'header-row',
  summary: 'Sends requests one after the other, so that Remaining has to count down.',
  played: 'each-plan',
  settings: z.strictObject({
    requests: z.int().min(3).max(50).default(8).describe('How many requests, one after the other.'),
  }),
  cost: (_key, { requests }) => ({ keyed: requests, strangers: 0, minutes: 0 }),
  async play(context, { requests }) {
    for (let i = 0; i < requests; i += 1) await context.ask({ step: 'row', ...context.ordinary })
  },
})
