import { defineProbe, type Question } from '../../probes/probe.js'
import { somePet, updateBody } from './moves/pets.js'

/** Requests that the interface says nothing about (INV-11). The quantity is the pet's own, so nothing changes. */
export const looseRequests = defineProbe({
  id: 'loose-requests',
  summary:
    'Sends requests of which the interface says nothing, such as a word as the id of a pet, to report what the target does.',
  played: 'once',
  cost: () => ({ keyed: 9 }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    context.willTouch(pet)
    const body = updateBody(pet.quantity)
    const cases: Record<string, Partial<Omit<Question, 'step'>>> = {
      'a petId that is no number': { petId: 'abc' },
      'a petId beyond int64': { petId: 2n ** 63n },
      'a fraction as petId': { petId: '1.5' },
      'an unknown field': { body: `{"quantity":${pet.quantity},"colour":"red"}` },
      'a body declared as text/plain': { contentType: 'text/plain' },
      'a body that is not declared': { contentType: null },
    }
    for (const [name, question] of Object.entries(cases)) {
      await context.ask({
        step: 'loose',
        operation: 'updateInventory',
        petId: pet.id,
        body,
        ...question,
        intent: { case: name },
      })
    }
  },
})
