import { defineProbe } from '../../probes/probe.js'
import { otherQuantity, somePet, updateOf } from './moves/pets.js'

/**
 * Reads the list twice, changes one pet, reads, puts it back, reads. The first two readings are the control: what
 * changes between them was not changed by the PATCH.
 */
export const readWriteRead = defineProbe({
  id: 'read-write-read',
  summary: 'Reads the inventory, changes the quantity of one pet, reads again, and puts it back.',
  played: 'once',
  cost: () => ({ keyed: 6 }),
  async play(context) {
    await context.inventory('before')
    const pets = await context.inventory('control')
    const pet = somePet(context, pets)
    context.willTouch(pet)
    await context.ask({ step: 'patch', ...updateOf(pet.id, otherQuantity(pet.quantity)) })
    await context.inventory('after')
    await context.ask({ step: 'patch-back', ...updateOf(pet.id, pet.quantity) })
    await context.inventory('restored')
  },
})
