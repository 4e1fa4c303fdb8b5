import { defineProbe } from '../../probes/probe.js'

/** The scheme's name in other letter cases, after a control in the ordinary one. */
export const schemeCase = defineProbe({
  id: 'scheme-case',
  summary: "Writes the credential's scheme in lower and in upper case, which HTTP allows.",
  played: 'once',
  cost: () => ({ keyed: 3 }),
  async play(context) {
    await context.ask({ step: 'control', operation: 'listInventory' })
    for (const as of ['lower-case-scheme', 'upper-case-scheme'] as const) {
      await context.ask({ step: 'other-case', operation: 'listInventory', as, intent: { case: as } })
    }
  },
})
