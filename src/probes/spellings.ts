import { otherQuantity, updateBody } from './pets.js'
import type { Pet, Question, Stage } from './probe.js'

/**
 * Other ways to write the same request, or to ask for something else with the same key (QUOTA-6). A path in another
 * spelling is no operation of the interface: a target need not know it.
 */
const spellings: Readonly<Record<string, Partial<Question>>> = {
  'scheme in lower case': { as: 'lower-case-scheme' },
  'scheme in upper case': { as: 'upper-case-scheme' },
  'X-Forwarded-For': { headers: [['X-Forwarded-For', '203.0.113.7']] },
  'another X-Forwarded-For': { headers: [['X-Forwarded-For', '198.51.100.23, 203.0.113.9']] },
  'X-Real-IP': { headers: [['X-Real-IP', '203.0.113.8']] },
  Forwarded: { headers: [['Forwarded', 'for=203.0.113.10']] },
  'another User-Agent': { headers: [['User-Agent', 'somebody-else/1.0']] },
  'another Accept': { headers: [['Accept', 'application/*;q=0.9']] },
  'a query string': { path: '/inventory?page=1' },
  'another query string': { path: '/inventory?page=2' },
  'a trailing slash': { operation: undefined, method: 'GET', path: '/inventory/' },
  'a doubled slash': { operation: undefined, method: 'GET', path: '//inventory' },
  'a percent-encoded letter': { operation: undefined, method: 'GET', path: '/%69nventory' },
  'a capital letter': { operation: undefined, method: 'GET', path: '/Inventory' },
  'another operation': { operation: 'listOrders' },
  'a third operation': { operation: 'getPet', petId: 1n },
}

const timesAsked = 2

export const spellingCost = (Object.keys(spellings).length + 2) * timesAsked

/** On a key that is refused: each spelling a few times, and PATCHes of two pets where writing is allowed. */
export const askSpellings = async (stage: Stage, pets: readonly Pet[]): Promise<void> => {
  for (const [spelling, question] of Object.entries(spellings)) {
    for (let i = 0; i < timesAsked; i += 1) {
      await stage.askOnce({ operation: 'listInventory', ...question, step: 'spelling', intent: { spelling } })
    }
  }
  if (stage.readOnly) return
  for (const pet of pets.slice(0, 2)) {
    stage.willTouch(pet)
    const quantity = otherQuantity(pet.quantity)
    for (let i = 0; i < timesAsked; i += 1) {
      await stage.askOnce({
        step: 'spelling',
        operation: 'updateInventory',
        petId: pet.id,
        body: updateBody(quantity),
        intent: { spelling: 'a PATCH of another pet', petId: String(pet.id), quantity: String(quantity) },
      })
    }
  }
}
