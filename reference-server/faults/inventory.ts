import { badData } from '@hapi/boom'
import { exactDoubleLimit, type InventoryItem } from '../../src/contract/petstore/schemas.js'
import { exactInteger, isJsonObject, type Json, JsonNumber, readJson } from '../../src/kit/json.js'
import { type Departure, entryOf, listing, readingBody, storing, updating } from '../behaviour/behaviour.js'
import { jsonAnswer } from '../http/answer.js'
import { fault, faultsOf } from './fault.js'

/** Small ids only, so that INV-7, about the neighbours above 2^53, is not broken too. */
export const isPlain = (petId: bigint) => petId < exactDoubleLimit

/** Carries out a PATCH, and changes its answer. */
const answersPatch = (
  as: (updated: InventoryItem, old: InventoryItem) => { status?: number; item: InventoryItem },
): Departure =>
  updating((call, update, self) => {
    const old = entryOf(call, self)
    const answer = update()
    const updated = entryOf(call, self)
    if (!old || !updated) return answer
    const { status = 200, item } = as(updated, old)
    return jsonAnswer(status, item)
  })

/** Departures from §4: what the list shows, what a PATCH changes, and what it answers. */
export const effectFaults = faultsOf('INV', {
  'list-wrapped': fault('INV-1')(
    'GET /inventory answers an object with the list inside.',
    listing((items) => ({ items })),
  ),
  'list-answers-203': fault('INV-1')(
    'GET /inventory answers 203.',
    listing((items) => items, 203),
  ),
  'list-stale': fault('INV-2')('The list goes on showing the quantities of the start.', (before, surroundings) => {
    const first = new Map(before.inventory.items().map((item) => [item.petId, item]))
    const shown = (item: InventoryItem) => (isPlain(item.petId) ? (first.get(item.petId) ?? item) : item)
    return listing((items) => items.map(shown))(before, surroundings)
  }),
  'patch-touches-another-entry': fault('INV-2')(
    'A PATCH adds one to the quantity of the next entry as well.',
    storing((petId, quantity, inventory) => {
      const next = isPlain(petId) ? inventory.find(petId + 1n) : undefined
      const updated = inventory.setQuantity(petId, quantity)
      if (updated && next) inventory.setQuantity(next.petId, next.quantity + 1n)
      return updated
    }),
  ),
  'patch-not-stored': fault('INV-2')(
    'A PATCH is answered as it should be, and nothing is stored.',
    storing((petId, quantity, inventory) => {
      const item = inventory.find(petId)
      return item && isPlain(petId) ? { ...item, quantity } : inventory.setQuantity(petId, quantity)
    }),
  ),
  'emptied-pet-unlisted': fault('INV-2')(
    'A pet whose quantity a PATCH sets to 0 leaves the list.',
    (before, surroundings) => {
      const emptied = new Set<bigint>()
      return {
        ...listing((items) => items.filter(({ petId }) => !emptied.has(petId)))(before, surroundings),
        ...storing((petId, quantity, inventory) => {
          if (quantity === 0n && isPlain(petId)) emptied.add(petId)
          else emptied.delete(petId)
          return inventory.setQuantity(petId, quantity)
        })(before, surroundings),
      }
    },
  ),
  'quantity-as-float': fault('INV-2', 'INV-3')(
    'Quantities are stored as 32-bit floats.',
    storing((petId, quantity, inventory) => inventory.setQuantity(petId, BigInt(Math.fround(Number(quantity))))),
  ),
  'patch-answers-old-quantity': fault('INV-3')(
    'A PATCH answers the quantity that was there before.',
    answersPatch((_, old) => ({ item: old })),
  ),
  'patch-answers-201': fault('INV-3')(
    'A PATCH answers 201.',
    answersPatch((item) => ({ status: 201, item })),
  ),
  'patch-answers-another-pet': fault('INV-3')(
    'A PATCH answers the next petId.',
    answersPatch((item) => ({ item: isPlain(item.petId) ? { ...item, petId: item.petId + 1n } : item })),
  ),
})

/** Accepts a body that has no valid quantity. */
const accepts = (lenient: (body: Json) => bigint | undefined): Departure =>
  readingBody((body, asBefore) => {
    const reading = readJson(body?.toString() ?? '')
    return (reading.ok ? lenient(reading.value) : undefined) ?? asBefore(body)
  })

/** The quantity that a body names, of whatever kind. */
export const quantityOf = (body: Json): Json | undefined =>
  isJsonObject(body) && Object.hasOwn(body, 'quantity') ? body.quantity : undefined

const integerOf = (value: Json | undefined) => (value instanceof JsonNumber ? exactInteger(value.value) : undefined)

const isLacking = (body: Buffer | undefined) => body === undefined || body.length === 0

const isBroken = (body: Buffer | undefined) => body !== undefined && body.length > 0 && !readJson(body.toString()).ok

/** Refuses such a body in another way. */
const refusesBody = (isMeant: (body: Buffer | undefined) => boolean, error: () => Error): Departure =>
  readingBody((body, asBefore) => {
    if (isMeant(body)) throw error()
    return asBefore(body)
  })

/** Departures from §4: which bodies of a PATCH are taken. */
export const bodyFaults = faultsOf('INV', {
  'missing-quantity-accepted': fault('INV-4')(
    'A PATCH with an empty object gets 200, and leaves the quantity as it is.',
    updating((call, update, self) => {
      const reading = readJson(call.body?.toString() ?? '')
      const item = entryOf(call, self)
      const empty = reading.ok && isJsonObject(reading.value) && !Object.hasOwn(reading.value, 'quantity')
      return empty && item ? jsonAnswer(200, item) : update()
    }),
  ),
  'missing-body-answers-422': fault('INV-4')(
    'A PATCH without a body gets 422.',
    refusesBody(isLacking, () => badData('the body is missing')),
  ),
  'string-quantity-accepted': fault('INV-5')(
    'A quantity in quotes is taken for the number.',
    accepts((body) => {
      const quantity = quantityOf(body)
      return typeof quantity === 'string' ? exactInteger(quantity) : undefined
    }),
  ),
  'fraction-cut-off': fault('INV-5')(
    'A fraction is cut off to an integer.',
    accepts((body) => {
      const quantity = quantityOf(body)
      if (!(quantity instanceof JsonNumber) || exactInteger(quantity.value) !== undefined) return undefined
      const whole = Math.trunc(Number(quantity.value))
      return Number.isSafeInteger(whole) ? BigInt(whole) : undefined
    }),
  ),
  'boolean-quantity-accepted': fault('INV-5')(
    'True is taken for 1, false for 0.',
    accepts((body) => {
      const quantity = quantityOf(body)
      return typeof quantity === 'boolean' ? BigInt(quantity) : undefined
    }),
  ),
  'null-quantity-accepted': fault('INV-5')(
    'Null is taken for 0.',
    accepts((body) => (quantityOf(body) === null ? 0n : undefined)),
  ),
  'array-quantity-accepted': fault('INV-5')(
    'A list as quantity is taken for its first number.',
    accepts((body) => {
      const quantity = quantityOf(body)
      return Array.isArray(quantity) ? (integerOf(quantity[0]) ?? 0n) : undefined
    }),
  ),
  'bare-body-accepted': fault('INV-5')(
    'A body that is a number, a string or a list is taken for a quantity.',
    accepts((body) => (isJsonObject(body) ? undefined : (integerOf(body) ?? 0n))),
  ),
  'small-fraction-accepted': fault('INV-5')(
    'A fraction of less than a thousandth is cut off the quantity.',
    accepts((body) => {
      const quantity = quantityOf(body)
      const value = quantity instanceof JsonNumber ? Number(quantity.value) : 0
      return value % 1 !== 0 && value % 1 < 0.001 ? BigInt(Math.trunc(value)) : undefined
    }),
  ),
  'plus-sign-accepted': fault('INV-5')(
    'A plus sign in front of the quantity is skipped.',
    readingBody((body, asBefore) => asBefore(body && Buffer.from(body.toString().replace(':+', ':')))),
  ),
  'nan-accepted': fault('INV-5')(
    'NaN as quantity is taken for 0.',
    readingBody((body, asBefore) => asBefore(body && Buffer.from(body.toString().replace(/:NaN\b/, ':0')))),
  ),
  'broken-json-answers-422': fault('INV-5')(
    'A body that is no JSON gets 422.',
    refusesBody(isBroken, () => badData('the body is not JSON')),
  ),
  'broken-json-answers-500': fault('INV-5', 'ERR-5')(
    'A body that is no JSON gets 500.',
    refusesBody(isBroken, () => new Error('the server stumbled')),
  ),
  'text-behind-json-accepted': fault('INV-5')(
    'The body is read up to the end of its first JSON object, and what comes behind is not looked at.',
    readingBody((body, asBefore) => {
      const text = body?.toString() ?? ''
      const first = Buffer.from(text.slice(0, text.indexOf('}') + 1))
      return asBefore(isBroken(body) && !isBroken(first) && first.length > 0 ? first : body)
    }),
  ),
})
