import { everyOperation } from '../moves/every-operation.js'
import { somePetOrAbsent } from '../moves/pets.js'
import { defineProbe } from '../probe.js'
import { noSettings } from './no-settings.js'

/** Every operation without an Authorization header, the inventory read before and after. */
export const noKey = defineProbe({
  id: 'no-key',
  played: 'once',
  settings: noSettings,
  cost: () => ({ keyed: 3, strangers: 4, minutes: 0 }),
  async play(stage) {
    const pets = await stage.inventory('before')
    const pet = somePetOrAbsent(stage, pets)
    if (!stage.readOnly && pets.length > 0) stage.willTouch(pet)
    for (const question of everyOperation(pet)) {
      if (stage.readOnly && question.body) continue
      await stage.ask({ ...question, step: 'without', as: 'none' })
    }
    await stage.inventory('after')
  },
})
