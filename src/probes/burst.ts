import { z } from 'zod'
import { openFreshWindow } from './fresh-window.js'
import { defineProbe, ProbeBlocked } from './probe.js'

/** A wait of more than this many windows is a day's or a ban's: nobody sits through it unasked. */
const mostWindowsWaited = 2

/**
 * On a fresh window more than the plan's limit at once, over many connections; then the wait that the last refusal
 * names, and one request. The opener is part of the amount, so `overshoot` times the limit is sent in all.
 */
export const burst = defineProbe({
  id: 'burst',
  played: 'each-key',
  settings: z.strictObject({
    overshoot: z.number().min(1.05).max(10).default(1.5),
    connections: z.int().min(1).max(500).default(50),
  }),
  cost: ({ quota }, { overshoot }) => ({ keyed: Math.ceil(quota.minute * overshoot) + 3, strangers: 0, minutes: 4 }),
  async play(stage, { overshoot, connections }) {
    const amount = Math.ceil(stage.key.quota.minute * overshoot) - 1
    const used = Math.min(connections, amount)
    await openFreshWindow(stage, amount / used)
    const { retryAt } = await stage.load({ id: `burst-${stage.key.name}`, connections: used, amount })
    if (retryAt === undefined) return
    if (retryAt > stage.now() + mostWindowsWaited * stage.minuteMs + 1_000) throw new ProbeBlocked('long-wait')
    await stage.waitUntil(retryAt, 'the time that Retry-After asked for')
    await stage.askOnce({ step: 'after-wait', operation: 'listInventory' })
  },
})
