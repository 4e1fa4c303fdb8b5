import { absentIds, otherQuantities, somePet, updateOf } from '../../probes/moves/pets.js'
import { defineProbe, type Question } from '../../probes/probe.js'

/** HEAD and OPTIONS between readings of the list: does Remaining fall by them (QUOTA-7)? */
export const accounting = defineProbe({
  id: 'accounting',
  summary: 'Sends HEAD and OPTIONS between reads, to see whether they count against the quota.',
  cost: () => ({ keyed: 5 }),
  async play(context) {
    await context.ask({ step: 'plain', operation: 'listInventory' })
    for (const method of ['HEAD', 'OPTIONS']) {
      await context.ask({ step: 'odd', method, path: '/inventory', intent: { case: method } })
      await context.ask({ step: 'plain', operation: 'listInventory' })
    }
  },
})

/**
 * Requests that the interface says nothing about (INV-11). Each asks for another quantity, so that the reading behind them
 * shows which one was written: none that was refused may be (INV-8).
 */
export const looseRequests = defineProbe({
  id: 'loose-requests',
  summary:
    'Sends requests that the interface does not mention, such as a word as a pet id, to report what the target does.',
  cost: () => ({ keyed: 9 }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'), 'changed')
    context.willTouch(pet)
    // What is more often accepted comes first, so that it does not write over what follows.
    const cases: Record<string, (quantity: bigint) => Partial<Omit<Question, 'step'>>> = {
      'a body that is not declared': () => ({ contentType: null }),
      'a body declared as text/plain': () => ({ contentType: 'text/plain' }),
      'a petId that is no number': () => ({ petId: 'abc' }),
      'a petId beyond int64': () => ({ petId: 2n ** 63n }),
      'a fraction as petId': () => ({ petId: '1.5' }),
      'quantity with a capital letter': (quantity) => ({ body: `{"Quantity":${quantity}}` }),
      'an unknown field': (quantity) => ({ body: `{"quantity":${quantity},"colour":"red"}` }),
    }
    const others = otherQuantities(pet.quantity, Object.keys(cases).length)
    for (const [i, [name, question]] of Object.entries(cases).entries()) {
      const update = updateOf(pet.id, others[i])
      const asked = { ...update, ...question(others[i]) }
      await context.ask({ step: 'loose', ...asked, intent: { ...update.intent, petId: `${asked.petId}`, case: name } })
    }
    await context.inventory('after')
  },
})

const others = ['getPet', 'listOrders'] as const

type Other = (typeof others)[number]

/**
 * What follows the first request to each operation, so that each is sent four times: so many steps to and from one show
 * what its own answer leaves out. The list in between tells two apart that would else only alternate.
 */
const inTurn = (served: readonly Other[]): readonly ('listInventory' | Other)[] => {
  const [pet, orders] = others
  return served.length === others.length
    ? [pet, orders, 'listInventory', orders, pet, orders, pet, 'listInventory']
    : served.flatMap((each) => Array.from({ length: 4 }, () => ['listInventory', each] as const).flat())
}

/** Methods used on a pet that does not exist: the operation's, and two that its path does not have. */
const absentBy = ['GET', 'DELETE', 'PATCH'] as const

/** Sends the two operations whose answers the interface does not show, with a valid key; and asks for an absent pet. */
export const otherOperations = defineProbe({
  id: 'other-operations',
  summary:
    'Requests a single pet and the orders in turn, four times each, and, in three ways, a pet that does not exist.',
  cost: () => ({ keyed: 1 + others.length + inTurn(others).length + absentBy.length }),
  async play(context) {
    const pets = await context.inventory('before')
    const { id } = somePet(context, pets, 'kept')
    const asked = (operation: 'listInventory' | Other, step: 'with-key' | 'again') =>
      context.ask({ step, operation, ...(operation === 'getPet' ? { petId: id } : {}) })
    const served: Other[] = []
    for (const operation of others) {
      const { response } = await asked(operation, 'with-key')
      if (response?.status === 200) served.push(operation)
    }
    for (const operation of inTurn(served)) await asked(operation, 'again')
    const [petId] = absentIds(context, pets)
    for (const method of absentBy) {
      const question = method === 'GET' ? ({ operation: 'getPet', petId } as const) : { method, path: `/pets/${petId}` }
      await context.ask({ ...question, step: 'absent' })
    }
  },
})

/** Paths and methods that the interface does not have (ERR-6). */
export const unknownPath = defineProbe({
  id: 'unknown-path',
  summary: 'Requests paths and methods that the interface does not have.',
  cost: () => ({ keyed: 4 }),
  async play(context) {
    const cases = [
      ['GET', '/no-such-path'],
      ['DELETE', '/inventory'],
      ['PUT', '/inventory/1'],
      ['POST', '/inventory'],
    ] as const
    for (const [method, path] of cases)
      await context.ask({ step: 'unknown', method, path, intent: { case: `${method} ${path}` } })
  },
})

const quantityThen = (rest: string): string => `{"quantity":${rest}`

/** Input that breaks careless parsers. Refused, ignored or cut off: all fine; a 5xx or a stack trace is not (ERR-5). */
const cases: Readonly<Record<string, Partial<Omit<Question, 'step'>>>> = {
  'a path of 6,000 characters': { method: 'GET', path: `/inventory/${'1'.repeat(6000)}` },
  'a query of 6,000 characters': { method: 'GET', path: `/inventory?x=${'y'.repeat(6000)}` },
  'a header of 7,000 characters': { method: 'GET', path: '/inventory', headers: [['X-Long', 'z'.repeat(7000)]] },
  'a word as the id of a pet': { method: 'GET', path: '/pets/abc' },
  'a percent sign that encodes nothing': { path: '/inventory/%zz', body: '{"quantity":1}' },
  'an encoded NUL in the path': { path: '/inventory/%00', body: '{"quantity":1}' },
  'a path that climbs': { method: 'GET', path: '/inventory/..%2f..%2fetc%2fpasswd' },
  'JSON nested 5,000 deep': { body: `${quantityThen('['.repeat(5000))}${']'.repeat(5000)}}` },
  'an unclosed array nested 20,000 deep': { body: quantityThen('['.repeat(20_000)) },
  'a NUL in a string': { body: '{"quantity":"\\u0000"}' },
  'a raw NUL byte': { body: '{"quantity":\u0000}' },
  'a lone surrogate': { body: '{"quantity":"\\ud800"}' },
  'bytes that are no UTF-8': { body: Buffer.from('{"quantity":"\xff\xfe"}', 'latin1') },
  'a body in UTF-16': { body: Buffer.from('{"quantity":"x"}', 'utf16le') },
  'a number of 400 digits': { body: quantityThen(`${'9'.repeat(400)}.5}`) },
  'an exponent beyond every type': { body: quantityThen('1e350}') },
  'a field named __proto__': { body: '{"__proto__":{"quantity":1}}' },
  'a body of 1 MB': { body: `{"quantity":"${'x'.repeat(2 ** 20)}"}` },
  'a content type that is none': { body: '{"quantity":"x"}', contentType: 'application/json; charset=no-such' },
}

export const hardInput = defineProbe({
  id: 'hard-input',
  summary: 'Sends input that breaks careless parsers: long paths, deep JSON, bytes that are not UTF-8.',
  cost: () => ({ keyed: 3 + Object.keys(cases).length }),
  async play(context) {
    const pet = somePet(context, await context.inventory('before'), 'kept')
    if (!context.readOnly) context.willTouch(pet)
    for (const [name, question] of Object.entries(cases)) {
      if (context.readOnly && question.body) continue
      const where = { method: 'PATCH', path: `/inventory/${pet.id}` }
      await context.ask({ step: 'hard', ...where, ...question, intent: { case: name } })
    }
  },
})
