import { badData } from '@hapi/boom'
import { exactDoubleLimit, type InventoryItem } from '../../src/contract/petstore/schemas.js'
import { exactInteger, isJsonObject, type Json, JsonNumber, readJson } from '../../src/kit/json.js'
import type { Departure } from '../behaviour/behaviour.js'
import { entryOf, listing, readingBody, updating } from '../behaviour/departing.js'
import { jsonAnswer } from '../http/answer.js'
import { faultsOf } from './fault.js'

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
export const effectFaults = faultsOf('INV', [
  {
    id: 'list-wrapped',
    breaks: ['INV-1'],
    sentence: 'GET /inventory answers an object with the list inside.',
    depart: listing((items) => ({ items })),
  },
  {
    id: 'list-answers-203',
    breaks: ['INV-1'],
    sentence: 'GET /inventory answers 203.',
    depart: listing((items) => items, 203),
  },
  {
    id: 'list-stale',
    breaks: ['INV-2'],
    sentence: 'The list goes on showing the quantities of the start.',
    depart: (before, surroundings) => {
      const first = new Map(before.inventory.items().map((item) => [item.petId, item]))
      const shown = (item: InventoryItem) => (isPlain(item.petId) ? (first.get(item.petId) ?? item) : item)
      return listing((items) => items.map(shown))(before, surroundings)
    },
  },
  {
    id: 'patch-touches-another-entry',
    breaks: ['INV-2'],
    sentence: 'A PATCH adds one to the quantity of the next entry as well.',
    depart: ({ inventory }) => ({
      inventory: {
        ...inventory,
        setQuantity(petId, quantity) {
          const next = isPlain(petId) ? inventory.find(petId + 1n) : undefined
          const updated = inventory.setQuantity(petId, quantity)
          if (updated && next) inventory.setQuantity(next.petId, next.quantity + 1n)
          return updated
        },
      },
    }),
  },
  {
    id: 'patch-not-stored',
    breaks: ['INV-2'],
    sentence: 'A PATCH is answered as it should be, and nothing is stored.',
    depart: ({ inventory }) => ({
      inventory: {
        ...inventory,
        setQuantity(petId, quantity) {
          const item = inventory.find(petId)
          return item && isPlain(petId) ? { ...item, quantity } : inventory.setQuantity(petId, quantity)
        },
      },
    }),
  },
  {
    id: 'emptied-pet-unlisted',
    breaks: ['INV-2'],
    sentence: 'A pet whose quantity a PATCH sets to 0 leaves the list.',
    depart: (before, surroundings) => {
      const emptied = new Set<bigint>()
      return {
        ...listing((items) => items.filter(({ petId }) => !emptied.has(petId)))(before, surroundings),
        inventory: {
          ...before.inventory,
          setQuantity(petId, quantity) {
            if (quantity === 0n && isPlain(petId)) emptied.add(petId)
            else emptied.delete(petId)
            return before.inventory.setQuantity(petId, quantity)
          },
        },
      }
    },
  },
  {
    id: 'patch-answers-old-quantity',
    breaks: ['INV-3'],
    sentence: 'A PATCH answers the quantity that was there before.',
    depart: answersPatch((_, old) => ({ item: old })),
  },
  {
    id: 'patch-answers-201',
    breaks: ['INV-3'],
    sentence: 'A PATCH answers 201.',
    depart: answersPatch((item) => ({ status: 201, item })),
  },
  {
    id: 'patch-answers-another-pet',
    breaks: ['INV-3'],
    sentence: 'A PATCH answers the next petId.',
    depart: answersPatch((item) => ({ item: isPlain(item.petId) ? { ...item, petId: item.petId + 1n } : item })),
  },
])

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

const isBroken = (body: Buffer | undefined) => body !== undefined && body.length > 0 && !readJson(body.toString()).ok

/** Departures from §4: which bodies of a PATCH are taken. */
export const bodyFaults = faultsOf('INV', [
  {
    id: 'missing-quantity-accepted',
    breaks: ['INV-4'],
    sentence: 'A PATCH with an empty object gets 200, and leaves the quantity as it is.',
    depart: updating((call, update, self) => {
      const reading = readJson(call.body?.toString() ?? '')
      const item = entryOf(call, self)
      const empty = reading.ok && isJsonObject(reading.value) && !Object.hasOwn(reading.value, 'quantity')
      return empty && item ? jsonAnswer(200, item) : update()
    }),
  },
  {
    id: 'missing-body-answers-422',
    breaks: ['INV-4'],
    sentence: 'A PATCH without a body gets 422.',
    depart: readingBody((body, asBefore) => {
      if (body === undefined || body.length === 0) throw badData('the body is missing')
      return asBefore(body)
    }),
  },
  {
    id: 'string-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'A quantity in quotes is taken for the number.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      return typeof quantity === 'string' ? exactInteger(quantity) : undefined
    }),
  },
  {
    id: 'fraction-cut-off',
    breaks: ['INV-5'],
    sentence: 'A fraction is cut off to an integer.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      if (!(quantity instanceof JsonNumber) || exactInteger(quantity.value) !== undefined) return undefined
      const whole = Math.trunc(Number(quantity.value))
      return Number.isSafeInteger(whole) ? BigInt(whole) : undefined
    }),
  },
  {
    id: 'boolean-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'True is taken for 1, false for 0.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      return typeof quantity === 'boolean' ? BigInt(quantity) : undefined
    }),
  },
  {
    id: 'null-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'Null is taken for 0.',
    depart: accepts((body) => (quantityOf(body) === null ? 0n : undefined)),
  },
  {
    id: 'array-quantity-accepted',
    breaks: ['INV-5'],
    sentence: 'A list as quantity is taken for its first number.',
    depart: accepts((body) => {
      const quantity = quantityOf(body)
      return Array.isArray(quantity) ? (integerOf(quantity[0]) ?? 0n) : undefined
    }),
  },
  {
    id: 'bare-body-accepted',
    breaks: ['INV-5'],
    sentence: 'A body that is a number, a string or a list is taken for a quantity.',
    depart: accepts((body) => (isJsonObject(body) ? undefined : (integerOf(body) ?? 0n))),
  },
  {
    id: 'broken-json-answers-422',
    breaks: ['INV-5'],
    sentence: 'A body that is no JSON gets 422.',
    depart: readingBody((body, asBefore) => {
      if (isBroken(body)) throw badData('the body is not JSON')
      return asBefore(body)
    }),
  },
  {
    id: 'broken-json-answers-500',
    breaks: ['INV-5', 'ERR-5'],
    sentence: 'A body that is no JSON gets 500.',
    depart: readingBody((body, asBefore) => {
      if (isBroken(body)) throw new Error('the server stumbled')
      return asBefore(body)
    }),
  },
  {
    id: 'text-behind-json-accepted',
    breaks: ['INV-5'],
    sentence: 'The body is read up to the end of its first JSON object, and what comes behind is not looked at.',
    depart: readingBody((body, asBefore) => {
      const text = body?.toString() ?? ''
      const first = Buffer.from(text.slice(0, text.indexOf('}') + 1))
      return asBefore(isBroken(body) && !isBroken(first) && first.length > 0 ? first : body)
    }),
  },
])
