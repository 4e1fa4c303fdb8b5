import { somePet } from '../moves/pets.js'
import { defineProbe } from '../probe.js'
import { noSettings } from './no-settings.js'

/** As often as an operation has to be seen before `Remaining` tells what one request of it costs. */
const timesAsked = 4

/** The two operations whose answers are not shown, with a valid key: what they say, and how they are marked. */
export const otherOperations = defineProbe({
  id: 'other-operations',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 1 + 2 * timesAsked, strangers: 0, minutes: 0 }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    for (const question of [{ operation: 'getPet', petId: pet.id }, { operation: 'listOrders' }] as const) {
      await context.ask({ ...question, step: 'with-key' })
      for (let i = 1; i < timesAsked; i += 1) await context.ask({ ...question, step: 'again' })
    }
  },
})
