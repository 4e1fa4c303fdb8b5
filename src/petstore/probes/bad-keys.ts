import { carriesKey, formsThatAre } from '../../evidence/redaction/credential-forms.js'
import { defineProbe } from '../../probes/probe.js'
import { everyOperation } from './moves/every-operation.js'
import { somePetOrAbsent } from './moves/pets.js'

/** Forms that are no key of the interface, whatever a server makes of them (AUTH-2, AUTH-4). */
const forms = formsThatAre('refused')
const withKey = forms.filter(carriesKey)

/** Every operation with every form that is no valid key, the inventory read before and after. */
export const badKeys = defineProbe({
  id: 'bad-keys',
  summary: 'Sends every operation with unknown and malformed keys; none may change anything.',
  played: 'once',
  cost: () => ({ keyed: 4, strangers: forms.length * 4, strangersWithKey: withKey.length * 4, minutes: 0 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePetOrAbsent(context, pets)
    await context.ask({ step: 'control', operation: 'listInventory' })
    if (!context.readOnly && pets.length > 0) context.willTouch(pet)
    for (const as of forms) {
      for (const question of everyOperation(pet)) {
        if (context.readOnly && question.body) continue
        await context.ask({ ...question, step: as, as })
      }
    }
    await context.inventory('after')
  },
})
