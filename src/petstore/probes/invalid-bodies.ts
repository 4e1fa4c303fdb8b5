import { defineProbe, type Question } from '../../probes/probe.js'
import { somePet, updateOf } from './moves/pets.js'

type Body = Pick<Question, 'body' | 'contentType'>

/** Bodies that lack quantity (INV-4). */
const lacking: Readonly<Record<string, Body>> = {
  'an empty object': { body: '{}' },
  'no body at all': {},
  'an empty JSON body': { body: '' },
  'another field only': { body: '{"qty":5}' },
}

/** Bodies with an invalid value (INV-5). */
const invalid: Readonly<Record<string, Body>> = {
  'quantity is a string': { body: '{"quantity":"5"}' },
  'quantity is an empty string': { body: '{"quantity":""}' },
  'quantity is a fraction': { body: '{"quantity":5.5}' },
  'quantity is true': { body: '{"quantity":true}' },
  'quantity is null': { body: '{"quantity":null}' },
  'quantity is an array': { body: '{"quantity":[5]}' },
  'quantity is an object': { body: '{"quantity":{}}' },
  'the body is an array': { body: '[{"quantity":5}]' },
  'the body is a string': { body: '"quantity"' },
  'the body is a number': { body: '5' },
  'the body is null': { body: 'null' },
  'the body is cut off': { body: '{"quantity":' },
  'the body is no JSON': { body: 'quantity=5' },
  'single quotes': { body: "{'quantity':5}" },
  'a name without quotes': { body: '{quantity:5}' },
  'a comma too many': { body: '{"quantity":5,}' },
  // A parser of streams takes the first value and ignores the rest.
  'more behind the object': { body: '{"quantity":5} 6' },
}

const tables = { lacking, invalid }

/** Sends bodies that each differ in one thing from a control that was just accepted: the pet's quantity, unchanged. */
export const invalidBodies = defineProbe({
  id: 'invalid-bodies',
  summary: 'Sends PATCHes whose bodies are each wrong in one thing; none may change the pet.',
  played: 'once',
  cost: () => ({ keyed: 6 + Object.keys(lacking).length + Object.keys(invalid).length }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'))
    const patch = { operation: 'updateInventory', petId: pet.id } as const
    context.willTouch(pet)
    await context.ask({ step: 'control', ...updateOf(pet.id, pet.quantity) })
    for (const step of ['lacking', 'invalid'] as const) {
      for (const [name, body] of Object.entries(tables[step])) {
        await context.ask({ ...patch, ...body, step, intent: { case: name, petId: String(pet.id) } })
      }
    }
    await context.inventory('after')
  },
})
