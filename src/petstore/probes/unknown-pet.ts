import { defineProbe } from '../../probes/probe.js'
import { absentIds, otherQuantity, somePet, updateOf } from './moves/pets.js'

/** Patches ids that no entry has, after a control on one that is there, and reads the list before and after each. */
export const unknownPet = defineProbe({
  id: 'unknown-pet',
  summary: 'Sends PATCHes to ids that no pet has; none may change anything.',
  played: 'once',
  cost: () => ({ keyed: 8 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePet(context, pets)
    context.willTouch(pet)
    await context.ask({ step: 'control', ...updateOf(pet.id, pet.quantity) })
    // Two quantities in turn: if they go to some entry by mistake, each one changes it.
    const quantities = [otherQuantity(pet.quantity), pet.quantity]
    for (const [i, petId] of absentIds(context, pets).entries()) {
      await context.ask({ step: 'unknown', ...updateOf(petId, quantities[i % quantities.length]) })
      await context.inventory('after')
    }
  },
})
