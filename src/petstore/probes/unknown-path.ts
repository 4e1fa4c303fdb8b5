import { defineProbe } from '../../probes/probe.js'

/** Paths and methods that the interface does not have (ERR-6). */
export const unknownPath = defineProbe({
  id: 'unknown-path',
  summary: 'Asks for paths and methods that the interface does not have.',
  played: 'once',
  cost: () => ({ keyed: 4 }),
  async play(context) {
    const cases = [
      ['GET', '/no-such-path'],
      ['DELETE', '/inventory'],
      ['PUT', '/inventory/1'],
      ['POST', '/inventory'],
    ] as const
    for (const [method, path] of cases) {
      await context.ask({ step: 'unknown', method, path, intent: { case: `${method} ${path}` } })
    }
  },
})
