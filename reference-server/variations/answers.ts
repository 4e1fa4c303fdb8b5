import { badRequest, notFound, tooManyRequests } from '@hapi/boom'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { isJsonObject, type Json, JsonNumber, writeJson } from '../../src/kit/json.js'
import type { Departure, PetstoreBehaviour } from '../behaviour/behaviour.js'
import { entryOf, finishing, readingBody, refusing } from '../behaviour/departing.js'
import { shared, type Variation } from '../faults/fault.js'
import { jsonAnswer, withHeaders, withoutHeaders } from '../http/answer.js'
import { createInventory, jsonIn, seedInventory } from '../petstore/inventory.js'
import { contractVariations } from './contract-variations.js'

/** Changes every entry. */
const writesItems =
  (as: (item: InventoryItem) => object): Departure =>
  (before, { self }) => ({
    operations: {
      ...before.operations,
      listInventory: () => jsonAnswer(200, self().inventory.items().map(as)),
      updateInventory(call) {
        const answer = before.operations.updateInventory(call)
        const item = entryOf(call, self())
        return item ? jsonAnswer(200, as(item)) : answer
      },
    },
  })

const stocks =
  (size: number): Departure =>
  () => ({ inventory: createInventory(seedInventory(size)) })

/** Changes the answers of an operation whose shape the interface does not show. */
const operation =
  (id: 'getPet' | 'listOrders', answer: PetstoreBehaviour['operations']['getPet']): Departure =>
  (before) => ({
    operations: { ...before.operations, [id]: answer },
  })

/** What the answers hold, and what is asked of requests. */
export const answerVariations: readonly Variation[] = [
  {
    id: 'extra-fields',
    sentence: 'Entries and errors have further fields.',
    depart: (before, surroundings) => ({
      ...writesItems((item) => ({ ...item, tags: ['caf\u00e9', null], price: { amount: 9.5 }, quantityOnOrder: '3' }))(
        before,
        surroundings,
      ),
      errorAnswer(error) {
        const answer = before.errorAnswer(error)
        return { ...answer, body: writeJson({ ...JSON.parse(String(answer.body)), details: [], requestId: 'r1' }) }
      },
    }),
  },
  {
    id: 'integers-with-a-point',
    sentence: 'Quantities are written as 5.0.',
    depart: writesItems((item) => ({ ...item, quantity: new JsonNumber(`${item.quantity}.0`) })),
  },
  {
    id: 'pretty-json',
    sentence: 'Bodies have line ends and blanks in them.',
    depart: () => ({
      finish: (answer) =>
        typeof answer.body === 'string' && answer.body !== ''
          ? { ...answer, body: `\n${answer.body.replaceAll(',"', ' ,\r\n\t"')}\n` }
          : answer,
    }),
  },
  {
    id: 'quantity-bounded',
    sentence: 'A quantity below 0 or above 2^31 - 1 gets 400.',
    depart: readingBody((body, asBefore) => {
      const quantity = asBefore(body)
      if (quantity < 0n || quantity > 2n ** 31n - 1n) throw badRequest('quantity is out of bounds')
      return quantity
    }),
  },
  {
    id: 'unknown-fields-refused',
    sentence: 'A PATCH body with fields beyond quantity gets 400.',
    depart: readingBody((body, asBefore) => {
      const quantity = asBefore(body)
      const update: Json = body ? jsonIn(body) : null
      if (isJsonObject(update) && Object.keys(update).length > 1) throw badRequest('there are unknown fields')
      return quantity
    }),
  },
  {
    id: 'undeclared-body-read',
    sentence: 'A body is read as JSON whatever it is declared as.',
    depart: (before) => ({ quantityIn: (body) => before.quantityIn(body, undefined) }),
  },
  {
    id: 'odd-pet-id-404',
    sentence: 'A petId that is no int64 gets 404.',
    depart: (before) => ({
      petIdOf(text) {
        try {
          return before.petIdOf(text)
        } catch {
          throw notFound('no entry has this petId')
        }
      },
    }),
  },
  {
    id: 'pet-id-with-leading-zeros',
    sentence: 'Zeros in front of a petId are passed over.',
    depart: (before) => ({ petIdOf: (text) => before.petIdOf(text.replace(/^(-?)0+(?=\d)/, '$1')) }),
  },
  { id: 'empty-inventory', sentence: 'There are no pets.', depart: stocks(0) },
  { id: 'one-pet', sentence: 'There is one pet.', depart: stocks(1) },
  { id: 'five-thousand-pets', sentence: 'There are 5,000 pets.', depart: stocks(5_000) },
  {
    id: 'orders-not-found',
    sentence: 'GET /store/orders answers 404 to a valid key.',
    depart: operation('listOrders', () => {
      throw notFound('there are no orders')
    }),
  },
  {
    id: 'only-a-sunset',
    sentence: 'GET /pets/{petId} has a Sunset, and no Deprecation.',
    depart: () => ({ finish: (answer) => withoutHeaders(answer, 'Deprecation') }),
  },
  {
    id: 'deprecation-true',
    sentence: 'Deprecation is the true of an earlier draft, and there is no Sunset.',
    depart: () => ({
      finish: (answer) =>
        answer.headers.Deprecation ? withHeaders(withoutHeaders(answer, 'Sunset'), { Deprecation: 'true' }) : answer,
    }),
  },
  {
    id: 'unknown-path-before-key',
    sentence: 'An unknown path answers 404, a wrong method 405, before the key is judged.',
    depart: (before) => ({ letsIn: (call) => call.operation === undefined || before.letsIn(call) }),
  },
  {
    id: 'first-of-two-keys',
    sentence: 'Of two Authorization headers the first counts.',
    depart: (before) => ({
      credentialOf: ({ method, url, headers, socket }) =>
        before.credentialOf({ method, url, headers, socket, rawHeaders: [] }),
    }),
  },
  {
    id: 'several-challenges',
    sentence: 'A 401 offers several schemes, in odd letter case, with parameters.',
    depart: finishing(401, (answer) =>
      withHeaders(answer, {
        'WWW-Authenticate': ['Basic realm="a, b"', 'bearer realm="petstore", error="invalid_token"'],
      }),
    ),
  },
]

/** How a request over the limit, or under a ban, is answered. */
export const refusalVariations: readonly Variation[] = [
  {
    id: 'retry-after-as-date',
    sentence: 'Retry-After is an HTTP-date.',
    depart: refusing((answer, { nowMs, ruling }) => {
      const secondMs = Math.ceil((nowMs + ruling.retryAfterMs) / 1000) * 1000
      return withHeaders(answer, { 'Retry-After': new Date(secondMs).toUTCString() })
    }),
  },
  ...shared(contractVariations, 'retry-after-next-second', 'refusal-without-body'),
  {
    id: 'refusal-as-text',
    sentence: 'The body of a 429 is text.',
    depart: refusing((answer) => ({
      ...withHeaders(answer, { 'Content-Type': 'text/plain' }),
      body: 'Too many requests, please try again later.',
    })),
  },
  ...shared(contractVariations, 'refusal-closes', 'refusal-without-cache-control'),
  {
    id: 'ban-as-429',
    sentence: 'A banned key gets 429.',
    depart: (before, { self }) => ({
      refusal(call) {
        const { headers } = before.refusal(call)
        if (call.ruling.outcome !== 'banned') return before.refusal(call)
        return withHeaders(self().errorAnswer(tooManyRequests('the key is banned for a while')), headers)
      },
    }),
  },
]
