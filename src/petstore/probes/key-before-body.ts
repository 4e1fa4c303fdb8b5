import { defineProbe } from '../../probes/probe.js'
import { absentIds, otherQuantity, somePet, updateBody } from './moves/pets.js'

const bodies: Readonly<Record<string, string | undefined>> = {
  'a valid body': undefined,
  'a body that is no JSON': '{"quantity":',
  'a body without quantity': '{}',
  'a string as quantity': '{"quantity":"5"}',
}

const credentials = ['none', 'unknown-key', 'basic'] as const

/** Each kind of body, on a pet that is there and on one that is not. */
const ofEach = Object.keys(bodies).length * 2

/** Every kind of bad key with every kind of bad body, on a pet that is there and on one that is not. */
export const keyBeforeBody = defineProbe({
  id: 'key-before-body',
  summary: 'Sends bad bodies with bad keys: the answer has to be about the key.',
  played: 'once',
  cost: () => ({ keyed: 3, strangers: credentials.length * ofEach, strangersWithKey: ofEach, minutes: 0 }),
  async play(context) {
    const pets = await context.inventory('before')
    const pet = somePet(context, pets)
    context.willTouch(pet)
    const addressed = { 'a known pet': pet.id, 'an unknown pet': absentIds(context, pets)[0] }
    for (const as of credentials) {
      for (const [which, petId] of Object.entries(addressed)) {
        for (const [what, body = updateBody(otherQuantity(pet.quantity))] of Object.entries(bodies)) {
          const intent = { case: `${what}, ${which}`, credential: as, petId: String(petId) }
          await context.ask({ step: 'denied', operation: 'updateInventory', petId, body, as, intent })
        }
      }
    }
    await context.inventory('after')
  },
})
