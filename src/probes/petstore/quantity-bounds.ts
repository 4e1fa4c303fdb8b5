import { defineProbe } from '../probe.js'
import { noSettings } from '../requests/no-settings.js'
import { somePet, updateBody } from './moves/pets.js'

const quantities = [-1n, 0n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n]

/** Quantities at the edges of what implementations store; each one that is accepted is read back. */
export const quantityBounds = defineProbe({
  id: 'quantity-bounds',
  summary:
    'Sets quantities at the edges of number types, such as -1, 2^31 and 2^53 + 1, and reads back each that is accepted.',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 2 + quantities.length * 2, strangers: 0, minutes: 0 }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    context.willTouch(pet)
    for (const quantity of quantities) {
      const intent = { petId: String(pet.id), quantity: String(quantity) }
      const answer = await context.ask({
        step: 'patch',
        operation: 'updateInventory',
        petId: pet.id,
        body: updateBody(quantity),
        intent,
      })
      if (answer.response?.status === 200) {
        await context.ask({ step: 'read-back', operation: 'listInventory', intent })
      }
    }
  },
})
