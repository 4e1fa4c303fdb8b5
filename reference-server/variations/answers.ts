import { badRequest, notFound, tooManyRequests } from '@hapi/boom'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { isJsonObject, type Json, JsonNumber, writeJson } from '../../src/kit/json.js'
import { answering, type Departure, entryOf, finishing, finishingAll, readingBody, refusing } from '../behaviour.js'
import { shared, variation } from '../faults/fault.js'
import { jsonAnswer, withHeaders, withoutHeaders } from '../http/answer.js'
import { createInventory, jsonIn, seedInventory } from '../petstore-inventory.js'
import { contractVariationRows } from './contract-variations.js'

const writesItems = (as: (item: InventoryItem) => object): Departure =>
  answering(
    (call, asBefore, self) => {
      if (call.operation === 'listInventory') return jsonAnswer(200, self.inventory.items().map(as))
      const answer = asBefore()
      const item = entryOf(call, self)
      return item ? jsonAnswer(200, as(item)) : answer
    },
    'listInventory',
    'updateInventory',
  )

const stocks =
  (size: number): Departure =>
  () => ({ inventory: createInventory(seedInventory(size)) })

/** Variations of what answers contain, and of what requests need. */
export const answerVariations = {
  'extra-fields': variation('Entries and errors have further fields.').by(
    writesItems((item) => ({ ...item, tags: ['caf\u00e9', null], price: { amount: 9.5 }, quantityOnOrder: '3' })),
    (before) => ({
      errorAnswer(error) {
        const answer = before.errorAnswer(error)
        return { ...answer, body: writeJson({ ...JSON.parse(String(answer.body)), details: [], requestId: 'r1' }) }
      },
    }),
  ),
  'integers-with-a-point': variation('Quantities are written as 5.0.').by(
    writesItems((item) => ({ ...item, quantity: new JsonNumber(`${item.quantity}.0`) })),
  ),
  'pretty-json': variation('Bodies contain line breaks and spaces.').by(
    finishingAll((answer) =>
      typeof answer.body === 'string' && answer.body !== ''
        ? { ...answer, body: `\n${answer.body.replaceAll(',"', ' ,\r\n\t"')}\n` }
        : answer,
    ),
  ),
  'quantity-bounded': variation('A quantity below 0 or above 2^31 - 1 gets 400.').by(
    readingBody((body, asBefore) => {
      const quantity = asBefore(body)
      if (quantity < 0n || quantity > 2n ** 31n - 1n) throw badRequest('quantity is out of bounds')
      return quantity
    }),
  ),
  'unknown-fields-refused': variation('A PATCH body with fields beyond quantity gets 400.').by(
    readingBody((body, asBefore) => {
      const quantity = asBefore(body)
      const update: Json = body ? jsonIn(body) : null
      if (isJsonObject(update) && Object.keys(update).length > 1) throw badRequest('there are unknown fields')
      return quantity
    }),
  ),
  'undeclared-body-read': variation('A body is read as JSON, whatever type it declares.').by((before) => ({
    quantityIn: (body) => before.quantityIn(body, undefined),
  })),
  'odd-pet-id-404': variation('A petId that is not an int64 gets 404.').by((before) => ({
    petIdOf(text) {
      try {
        return before.petIdOf(text)
      } catch {
        throw notFound('no entry has this petId')
      }
    },
  })),
  'pet-id-with-leading-zeros': variation('Leading zeros of a petId are ignored.').by((before) => ({
    petIdOf: (text) => before.petIdOf(text.replace(/^(-?)0+(?=\d)/, '$1')),
  })),
  'empty-inventory': variation('There are no pets.').by(stocks(0)),
  'one-pet': variation('There is one pet.').by(stocks(1)),
  'five-thousand-pets': variation('There are 5,000 pets.').by(stocks(5_000)),
  'orders-not-found': variation('GET /store/orders answers 404 to a valid key.').by(
    answering(() => {
      throw notFound('there are no orders')
    }, 'listOrders'),
  ),
  'only-a-sunset': variation('GET /pets/{petId} has a Sunset, but no Deprecation.').by(() => ({
    finish: (answer) => withoutHeaders(answer, 'Deprecation'),
  })),
  'deprecation-true': variation('Deprecation is "true", as in an earlier draft, and there is no Sunset.').by(() => ({
    finish: (answer) =>
      answer.headers.Deprecation ? withHeaders(withoutHeaders(answer, 'Sunset'), { Deprecation: 'true' }) : answer,
  })),
  'unknown-path-before-key': variation(
    'An unknown path gets 404, and a wrong method 405, before the key is checked.',
  ).by((before) => ({ letsIn: (call) => call.operation === undefined || before.letsIn(call) })),
  'first-of-two-keys': variation('Of two Authorization headers the first counts.').by((before) => ({
    credentialOf: ({ method, url, headers, socket }) =>
      before.credentialOf({ method, url, headers, socket, rawHeaders: [] }),
  })),
  'several-challenges': variation('A 401 offers several schemes, in odd letter case, with parameters.').by(
    finishing(401, (answer) =>
      withHeaders(answer, {
        'WWW-Authenticate': ['Basic realm="a, b"', 'bearer realm="petstore", error="invalid_token"'],
      }),
    ),
  ),
}

/** Variations of answers to requests over the limit or under a ban. */
export const refusalVariations = {
  'retry-after-as-date': variation('Retry-After is an HTTP-date.').by(
    refusing((answer, { nowMs, ruling }) => {
      const secondMs = Math.ceil((nowMs + ruling.retryAfterMs) / 1000) * 1000
      return withHeaders(answer, { 'Retry-After': new Date(secondMs).toUTCString() })
    }),
  ),
  ...shared(contractVariationRows, 'retry-after-next-second', 'refusal-without-body'),
  'refusal-as-text': variation('The body of a 429 is text.').by(
    refusing((answer) => ({
      ...withHeaders(answer, { 'Content-Type': 'text/plain' }),
      body: 'Too many requests, please try again later.',
    })),
  ),
  ...shared(contractVariationRows, 'refusal-closes', 'refusal-without-cache-control'),
  'ban-as-429': variation('A banned key gets 429.').by((before, { self }) => ({
    refusal(call) {
      const { headers } = before.refusal(call)
      if (call.ruling.outcome !== 'banned') return before.refusal(call)
      return withHeaders(self().errorAnswer(tooManyRequests('the key is banned for a while')), headers)
    },
  })),
}
