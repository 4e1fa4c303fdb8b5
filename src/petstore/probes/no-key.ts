import { defineProbe } from '../../probes/probe.js'
import { everyOperation } from './moves/every-operation.js'
import { somePetOrAbsent } from './moves/pets.js'

/** Every operation without an Authorization header, the inventory read before and after. */
export const noKey = defineProbe({
  id: 'no-key',
  summary: 'Sends every operation without a key.',
  played: 'once',
  cost: () => ({ keyed: 3, strangers: 4, minutes: 0 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePetOrAbsent(context, pets)
    if (!context.readOnly && pets.length > 0) context.willTouch(pet)
    for (const question of everyOperation(pet)) {
      if (context.readOnly && question.body) continue
      await context.ask({ ...question, step: 'without', as: 'none' })
    }
    await context.inventory('after')
  },
})
