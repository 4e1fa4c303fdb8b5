import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { JsonNumber } from '../../src/kit/json.js'
import { finishing, listing } from '../behaviour/departing.js'
import { withHeaders, withoutHeaders } from '../http/answer.js'
import { faultsOf } from './fault.js'

/** Departures from §1. */
export const baseFaults = faultsOf('BASE', [
  {
    id: 'list-declared-as-text',
    breaks: ['BASE-1'],
    sentence: 'GET /inventory declares its JSON as text/plain.',
    depart: finishing(
      200,
      (answer) => withHeaders(answer, { 'Content-Type': 'text/plain; charset=utf-8' }),
      'listInventory',
    ),
  },
  {
    id: 'not-found-declared-as-html',
    breaks: ['BASE-1'],
    sentence: 'A 404 declares its JSON as text/html.',
    depart: finishing(404, (answer) => withHeaders(answer, { 'Content-Type': 'text/html' })),
  },
  {
    // On another operation it would also be INV-1 or INV-3 that cannot be read.
    id: 'orders-not-json',
    breaks: ['BASE-1'],
    sentence: 'GET /store/orders declares JSON, and its body does not parse.',
    depart: finishing(200, (answer) => ({ ...answer, body: '[' }), 'listOrders'),
  },
  {
    id: 'orders-not-utf8',
    breaks: ['BASE-1'],
    sentence: 'The body of GET /store/orders is JSON in Latin-1.',
    depart: finishing(
      200,
      (answer) => ({ ...answer, body: Buffer.from('[{"note":"caf\u00e9"}]', 'latin1') }),
      'listOrders',
    ),
  },
  {
    id: 'base-path-without-v1',
    breaks: ['BASE-2'],
    sentence: 'The operations live under /api.',
    depart: () => ({ basePath: '/api' }),
  },
])

/** Departures from §9. */
export const versioningFaults = faultsOf('VER', [
  {
    id: 'deprecation-unmarked',
    breaks: ['VER-1'],
    sentence: 'GET /pets/{petId} has neither Deprecation nor Sunset.',
    depart: () => ({ finish: (answer) => withoutHeaders(answer, 'Deprecation', 'Sunset') }),
  },
])

/** Changes the third entry of the list; only one, so that every other clause can still be judged. */
const listsThird = (as: (item: InventoryItem) => object) =>
  listing((items) => items.map((item, index) => (index === 2 ? as(item) : item)))

const without = (name: keyof InventoryItem) => (item: InventoryItem) =>
  Object.fromEntries(Object.entries(item).filter(([each]) => each !== name))

const rounded = (item: InventoryItem) => ({ ...item, petId: BigInt(Number(item.petId)) })

/** Departures from §2 and §3. */
export const schemaFaults = faultsOf('SCHEMA', [
  {
    id: 'pet-id-rounded',
    // Two neighbours get one id, so that it no longer names one entry; the greatest int64 gets one beyond int64.
    breaks: ['SCHEMA-1', 'INV-7'],
    sentence: 'A petId above 2^53 is written as the nearest IEEE double.',
    depart: listing((items) => items.map(rounded)),
  },
  {
    id: 'pet-id-as-string',
    breaks: ['SCHEMA-1'],
    sentence: 'One entry of the list has its petId in quotes.',
    depart: listsThird((item) => ({ ...item, petId: String(item.petId) })),
  },
  {
    id: 'pet-id-missing',
    breaks: ['SCHEMA-1'],
    sentence: 'One entry of the list has no petId.',
    depart: listsThird(without('petId')),
  },
  {
    id: 'pet-id-beyond-int64',
    breaks: ['SCHEMA-1'],
    sentence: 'One entry of the list has the petId 2^63.',
    depart: listsThird((item) => ({ ...item, petId: 2n ** 63n })),
  },
  {
    id: 'quantity-as-string',
    breaks: ['SCHEMA-2'],
    sentence: 'One entry of the list has its quantity in quotes.',
    depart: listsThird((item) => ({ ...item, quantity: String(item.quantity) })),
  },
  {
    id: 'quantity-fraction',
    breaks: ['SCHEMA-2'],
    sentence: 'One entry of the list has a quantity of half a pet more.',
    depart: listsThird((item) => ({ ...item, quantity: new JsonNumber(`${item.quantity}.5`) })),
  },
  {
    id: 'quantity-null',
    breaks: ['SCHEMA-2'],
    sentence: 'One entry of the list has null as quantity.',
    depart: listsThird((item) => ({ ...item, quantity: null })),
  },
  {
    id: 'quantity-missing',
    breaks: ['SCHEMA-2'],
    sentence: 'One entry of the list has no quantity.',
    depart: listsThird(without('quantity')),
  },
  {
    id: 'status-unknown',
    breaks: ['SCHEMA-3'],
    sentence: 'One entry of the list has the status reserved.',
    depart: listsThird((item) => ({ ...item, status: 'reserved' })),
  },
  {
    id: 'status-capitalized',
    breaks: ['SCHEMA-3'],
    sentence: 'One entry of the list has its status in capitals.',
    depart: listsThird((item) => ({ ...item, status: item.status.toUpperCase() })),
  },
  {
    id: 'status-missing',
    breaks: ['SCHEMA-3'],
    sentence: 'One entry of the list has no status.',
    depart: listsThird(without('status')),
  },
])
