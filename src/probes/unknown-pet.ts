import { noSettings } from './no-settings.js'
import { absentIds, otherQuantity, somePet, updateBody } from './pets.js'
import { defineProbe } from './probe.js'

/** Patches ids that no entry has, after a control on one that is there, and reads the list before and after. */
export const unknownPet = defineProbe({
  id: 'unknown-pet',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 6, strangers: 0, minutes: 0 }),
  async play(stage) {
    const pets = await stage.inventory('before')
    const pet = somePet(stage, pets)
    stage.willTouch(pet)
    await stage.ask({
      step: 'control',
      operation: 'updateInventory',
      petId: pet.id,
      body: updateBody(pet.quantity),
      intent: { petId: String(pet.id), quantity: String(pet.quantity) },
    })
    for (const petId of absentIds(stage, pets)) {
      await stage.ask({
        step: 'unknown',
        operation: 'updateInventory',
        petId,
        body: updateBody(otherQuantity(pet.quantity)),
        intent: { petId: String(petId) },
      })
    }
    await stage.inventory('after')
  },
})
