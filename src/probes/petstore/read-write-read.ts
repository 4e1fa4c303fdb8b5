import { defineProbe } from '../probe.js'
import { noSettings } from '../requests/no-settings.js'
import { otherQuantity, somePet, updateBody } from './moves/pets.js'

/**
 * Reads the list twice, changes one pet, reads, puts it back, reads. The first two readings are the control: what
 * changes between them was not changed by the PATCH.
 */
export const readWriteRead = defineProbe({
  id: 'read-write-read',
  summary: 'Reads the inventory, changes the quantity of one pet, reads again, and puts it back.',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 6, strangers: 0, minutes: 0 }),
  async play(context) {
    await context.inventory('before')
    const pets = await context.inventory('control')
    const pet = somePet(context, pets)
    const quantity = otherQuantity(pet.quantity)
    context.willTouch(pet)
    const intent = { petId: String(pet.id), quantity: String(quantity) }
    await context.ask({
      step: 'patch',
      operation: 'updateInventory',
      petId: pet.id,
      body: updateBody(quantity),
      intent,
    })
    await context.inventory('after')
    await context.ask({
      step: 'patch-back',
      operation: 'updateInventory',
      petId: pet.id,
      body: updateBody(pet.quantity),
      intent: { petId: String(pet.id), quantity: String(pet.quantity) },
    })
    await context.inventory('restored')
  },
})
