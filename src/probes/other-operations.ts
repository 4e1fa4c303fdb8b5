import { noSettings } from './no-settings.js'
import { somePet } from './pets.js'
import { defineProbe } from './probe.js'

/** The two operations whose answers are not shown, with a valid key: what they say, and how they are marked. */
export const otherOperations = defineProbe({
  id: 'other-operations',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 3, strangers: 0, minutes: 0 }),
  async play(stage) {
    const pet = somePet(stage, await stage.inventory('before'))
    await stage.ask({ step: 'with-key', operation: 'getPet', petId: pet.id })
    await stage.ask({ step: 'with-key', operation: 'listOrders' })
  },
})
