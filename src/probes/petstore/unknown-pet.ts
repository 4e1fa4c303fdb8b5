import { defineProbe } from '../probe.js'
import { noSettings } from '../requests/no-settings.js'
import { absentIds, otherQuantity, somePet, updateBody } from './moves/pets.js'

/** Patches ids that no entry has, after a control on one that is there, and reads the list before and after each. */
export const unknownPet = defineProbe({
  id: 'unknown-pet',
  summary: 'Sends PATCHes to ids that no pet has; none may change anything.',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 8, strangers: 0, minutes: 0 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePet(context, pets)
    context.willTouch(pet)
    await context.ask({
      step: 'control',
      operation: 'updateInventory',
      petId: pet.id,
      body: updateBody(pet.quantity),
      intent: { petId: String(pet.id), quantity: String(pet.quantity) },
    })
    // Two quantities in turn: if they go to some entry by mistake, each one changes it.
    const quantities = [otherQuantity(pet.quantity), pet.quantity]
    for (const [i, petId] of absentIds(context, pets).entries()) {
      const quantity = quantities[i % quantities.length]
      await context.ask({
        step: 'unknown',
        operation: 'updateInventory',
        petId,
        body: updateBody(quantity),
        intent: { petId: String(petId), quantity: String(quantity) },
      })
      await context.inventory('after')
    }
  },
})
