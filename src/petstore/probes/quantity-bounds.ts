import { defineProbe } from '../../probes/probe.js'
import { somePet, updateOf } from './moves/pets.js'

const quantities = [-1n, 0n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n]

/** Quantities at the edges of what implementations store; each one that is accepted is read back. */
export const quantityBounds = defineProbe({
  id: 'quantity-bounds',
  summary:
    'Sets quantities at the edges of number types, such as -1, 2^31 and 2^53 + 1, and reads back each that is accepted.',
  played: 'once',
  cost: () => ({ keyed: 2 + quantities.length * 2 }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    context.willTouch(pet)
    for (const quantity of quantities) {
      const update = updateOf(pet.id, quantity)
      const answer = await context.ask({ step: 'patch', ...update })
      if (answer.response?.status === 200) {
        await context.ask({ step: 'read-back', operation: 'listInventory', intent: update.intent })
      }
    }
  },
})
