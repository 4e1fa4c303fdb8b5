import { otherQuantity, somePet, updateBody } from '../moves/pets.js'
import { defineProbe } from '../probe.js'
import { noSettings } from './no-settings.js'

/**
 * Reads the list twice (does somebody else write?), changes one pet, reads, puts it back, reads. The two readings
 * before the change are the control: what moves between them is not the PATCH's doing.
 */
export const readWriteRead = defineProbe({
  id: 'read-write-read',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 6, strangers: 0, minutes: 0 }),
  async play(stage) {
    await stage.inventory('before')
    const pets = await stage.inventory('control')
    const pet = somePet(stage, pets)
    const quantity = otherQuantity(pet.quantity)
    stage.willTouch(pet)
    const intent = { petId: String(pet.id), quantity: String(quantity) }
    await stage.ask({ step: 'patch', operation: 'updateInventory', petId: pet.id, body: updateBody(quantity), intent })
    await stage.inventory('after')
    await stage.ask({
      step: 'patch-back',
      operation: 'updateInventory',
      petId: pet.id,
      body: updateBody(pet.quantity),
      intent: { petId: String(pet.id), quantity: String(pet.quantity) },
    })
    await stage.inventory('restored')
  },
})
