import { otherQuantity, updateOf } from '../../petstore/probes/moves/pets.js'
import type { Pet, ProbeContext, Question } from '../probe.js'

/**
 * Other ways to write the same request, or to ask for something else with the same key (QUOTA-6). A path in another
 * spelling is no operation of the interface: a target need not know it.
 */
export const inventorySpellings = {
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
} as const satisfies Readonly<Record<string, Partial<Question>>>

const patchOfAnotherPet = 'a PATCH of another pet'

/** A target is asked with so many other spellings at most, the PATCH among them. */
export const mostSpellings = Object.keys(inventorySpellings).length + 1

/** How often each is asked, at the same time: a bucket that refills admits one of the three, a quota of its own all. */
const timesAsked = 3

export const spellingCost = mostSpellings * timesAsked

const severalTimes = async (
  context: ProbeContext<'spelling'>,
  spelling: string,
  question: Omit<Question, 'step'>,
): Promise<void> => {
  const asked = { ...question, step: 'spelling' as const, intent: { ...question.intent, spelling } }
  await Promise.all(Array.from({ length: timesAsked }, () => context.askOnce(asked)))
}

/**
 * On a key that is refused: each of the context's spellings a few times, and PATCHes of a pet where writing is allowed.
 *
 * @param wanted those to ask with; all where none is named.
 */
export const askSpellings = async (
  context: ProbeContext<'spelling'>,
  pets: readonly Pet[],
  wanted?: readonly string[],
): Promise<void> => {
  const isWanted = (name: string) => wanted === undefined || wanted.includes(name)
  for (const [name, question] of Object.entries(context.spellings)) {
    if (isWanted(name)) await severalTimes(context, name, { ...context.ordinary, ...question })
  }
  const [pet] = pets
  if (context.readOnly || pet === undefined || !isWanted(patchOfAnotherPet)) return
  context.willTouch(pet)
  await severalTimes(context, patchOfAnotherPet, updateOf(pet.id, otherQuantity(pet.quantity)))
}
