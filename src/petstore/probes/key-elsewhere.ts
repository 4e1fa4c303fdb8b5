import { formsThatAre } from '../../evidence/redaction/credential-forms.js'
import { defineProbe } from '../../probes/probe.js'

/** Sends the key in the query, a cookie or other letter case, and in header spellings that servers read differently. */
export const keyElsewhere = defineProbe({
  id: 'key-elsewhere',
  summary: 'Sends the key in the query, in a cookie, in other letter case and in odd spellings of the header.',
  played: 'once',
  cost: () => ({ keyed: 1, strangers: 9, strangersWithKey: 9, minutes: 0 }),
  async play(context) {
    await context.ask({ step: 'control', operation: 'listInventory' })
    for (const as of formsThatAre('elsewhere')) {
      await context.ask({ step: 'elsewhere', operation: 'listInventory', as, intent: { case: as } })
    }
    for (const as of ['key-and-more', 'trailing-blanks', 'tab-after-scheme', 'api-key-header'] as const) {
      await context.ask({ step: 'open', operation: 'listInventory', as, intent: { case: as } })
    }
    const { letterCase } = context.key
    if (letterCase) {
      const step = letterCase === 'mixed' ? 'other-case' : 'open'
      const other = 'key-in-other-case'
      await context.ask({ step, operation: 'listInventory', as: other, intent: { case: other } })
    }
    // Sent as no operation: HTTP forbids a second such header (RFC 9110 §5.3), so a proxy may answer it, without our
    // headers.
    const as = 'two-headers'
    await context.ask({
      step: 'open',
      operation: undefined,
      method: 'GET',
      path: '/inventory',
      as,
      intent: { case: as },
    })
  },
})
