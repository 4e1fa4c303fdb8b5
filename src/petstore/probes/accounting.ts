import { defineProbe } from '../../probes/probe.js'

/** HEAD and OPTIONS between readings of the list: does Remaining fall by them? (QUOTA-7) */
export const accounting = defineProbe({
  id: 'accounting',
  summary: 'Sends HEAD and OPTIONS between reads, to see whether they count against the quota.',
  played: 'once',
  cost: () => ({ keyed: 5 }),
  async play(context) {
    await context.ask({ step: 'plain', operation: 'listInventory' })
    for (const method of ['HEAD', 'OPTIONS']) {
      await context.ask({ step: 'odd', method, path: '/inventory', intent: { case: method } })
      await context.ask({ step: 'plain', operation: 'listInventory' })
    }
  },
})
