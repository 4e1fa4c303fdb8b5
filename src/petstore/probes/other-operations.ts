import { defineProbe } from '../../probes/probe.js'
import { somePet } from './moves/pets.js'

/** How often each is asked: so many answers show by `Remaining` what one request of it costs. */
const timesAsked = 4

/** Asks the two operations whose answers the interface does not show, with a valid key. */
export const otherOperations = defineProbe({
  id: 'other-operations',
  summary: 'Asks for a single pet and for the orders with a valid key, four times each.',
  played: 'once',
  cost: () => ({ keyed: 1 + 2 * timesAsked }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    for (const question of [{ operation: 'getPet', petId: pet.id }, { operation: 'listOrders' }] as const) {
      await context.ask({ ...question, step: 'with-key' })
      for (let i = 1; i < timesAsked; i += 1) await context.ask({ ...question, step: 'again' })
    }
  },
})
