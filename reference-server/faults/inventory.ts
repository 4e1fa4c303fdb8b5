import { badData, badRequest, notFound } from '@hapi/boom'
import { exactDoubleLimit, type InventoryItem } from '../../src/contract/petstore/schemas.js'
import { exactInteger } from '../../src/kit/exact-integer.js'
import { isJsonObject, type Json, JsonNumber, readJson } from '../../src/kit/lossless-json.js'
import type { Behaviour, Call, Departure, Surroundings } from '../behaviour.js'
import { jsonAnswer } from '../http/answer.js'
import { createInventory } from '../inventory/inventory.js'
import { faultsOf } from './fault.js'
import { carriesOutLater, takesRefused } from './refused-patch.js'

/** Small ids only, so that INV-7, about the neighbours above 2^53, is not broken too. */
const isPlain = (petId: bigint) => petId < exactDoubleLimit

/** Carries out a PATCH, and changes its answer. */
const answersPatch =
  (as: (updated: InventoryItem, old: InventoryItem) => { status?: number; item: InventoryItem }): Departure =>
  (before, { self }) => ({
    operations: {
      ...before.operations,
      updateInventory(call) {
        const { inventory, petIdOf } = self()
        const id = petIdOf(call.petId ?? '')
        const old = inventory.find(id)
        const answer = before.operations.updateInventory(call)
        const updated = inventory.find(id)
        if (!old || !updated) return answer
        const { status = 200, item } = as(updated, old)
        return jsonAnswer(status, item)
      },
    },
  })

/** Accepts a body that has no valid quantity. */
const accepts =
  (lenient: (body: Json) => bigint | undefined): Departure =>
  (before) => ({
    quantityIn(body, contentType) {
      const reading = readJson(body?.toString() ?? '')
      const taken = reading.ok ? lenient(reading.value) : undefined
      return taken ?? before.quantityIn(body, contentType)
    },
  })

const quantityOf = (body: Json): Json | undefined =>
  isJsonObject(body) && Object.hasOwn(body, 'quantity') ? body.quantity : undefined

const integerOf = (value: Json | undefined) => (value instanceof JsonNumber ? exactInteger(value.value) : undefined)

const isBroken = (body: Buffer | undefined) => body !== undefined && body.length > 0 && !readJson(body.toString()).ok

/** Another answer to a PATCH of a pet that does not exist. */
const unknownPet =
  (instead: (id: bigint, call: Call, self: Behaviour) => ReturnType<typeof jsonAnswer>): Departure =>
  (before, { self }: Surroundings) => ({
    operations: {
      ...before.operations,
      updateInventory(call) {
        const { inventory, petIdOf } = self()
        const id = petIdOf(call.petId ?? '')
        return inventory.find(id) ? before.operations.updateInventory(call) : instead(id, call, self())
      },
    },
  })

/** Departures from §4: what GET /inventory and PATCH /inventory/{petId} do. */
export const inventoryFaults = faultsOf('INV', [
  {
    id: 'list-wrapped',
    breaks: ['INV-1'],
    sentence: 'GET /inventory answers an object with the list inside.',
    depart: (before, { self }) => ({
      operations: {
        ...before.operations,
        listInventory: () => jsonAnswer(200, { items: self().inventory.items() }),
      },
    }),
  },
  {
    id: 'list-answers-203',
    breaks: ['INV-1'],
    sentence: 'GET /inventory answers 203.',
    depart: (before, { self }) => ({
      operations: { ...before.operations, listInventory: () => jsonAnswer(203, self().inventory.items()) },
    }),
  },
  {
    id: 'list-stale',
    breaks: ['INV-2'],
    sentence: 'The list goes on showing the quantities of the start.',
    depart: (before, { self }) => {
      const first = new Map(before.inventory.items().map((item) => [item.petId, item]))
      const shown = (item: InventoryItem) => (isPlain(item.petId) ? (first.get(item.petId) ?? item) : item)
      return {
        operations: { ...before.operations, listInventory: () => jsonAnswer(200, self().inventory.items().map(shown)) },
      }
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
    depart: (before, { self }) => {
      const emptied = new Set<bigint>()
      return {
        inventory: {
          ...before.inventory,
          setQuantity(petId, quantity) {
            if (quantity === 0n && isPlain(petId)) emptied.add(petId)
            else emptied.delete(petId)
            return before.inventory.setQuantity(petId, quantity)
          },
        },
        operations: {
          ...before.operations,
          listInventory: () =>
            jsonAnswer(
              200,
              self()
                .inventory.items()
                .filter(({ petId }) => !emptied.has(petId)),
            ),
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
  {
    id: 'missing-quantity-accepted',
    breaks: ['INV-4'],
    sentence: 'A PATCH with an empty object gets 200, and leaves the quantity as it is.',
    depart: (before, { self }) => ({
      operations: {
        ...before.operations,
        updateInventory(call) {
          const reading = readJson(call.body?.toString() ?? '')
          const item = self().inventory.find(self().petIdOf(call.petId ?? ''))
          const empty = reading.ok && isJsonObject(reading.value) && !Object.hasOwn(reading.value, 'quantity')
          return empty && item ? jsonAnswer(200, item) : before.operations.updateInventory(call)
        },
      },
    }),
  },
  {
    id: 'missing-body-answers-422',
    breaks: ['INV-4'],
    sentence: 'A PATCH without a body gets 422.',
    depart: (before) => ({
      quantityIn(body, contentType) {
        if (body === undefined || body.length === 0) throw badData('the body is missing')
        return before.quantityIn(body, contentType)
      },
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
    depart: (before) => ({
      quantityIn(body, contentType) {
        if (isBroken(body)) throw badData('the body is not JSON')
        return before.quantityIn(body, contentType)
      },
    }),
  },
  {
    id: 'broken-json-answers-500',
    breaks: ['INV-5', 'ERR-5'],
    sentence: 'A body that is no JSON gets 500.',
    depart: (before) => ({
      quantityIn(body, contentType) {
        if (isBroken(body)) throw new Error('the server stumbled')
        return before.quantityIn(body, contentType)
      },
    }),
  },
  {
    id: 'text-behind-json-accepted',
    breaks: ['INV-5'],
    sentence: 'The body is read up to the end of its first JSON object, and what comes behind is not looked at.',
    depart: (before) => ({
      quantityIn(body, contentType) {
        const text = body?.toString() ?? ''
        const first = Buffer.from(text.slice(0, text.indexOf('}') + 1))
        return before.quantityIn(isBroken(body) && !isBroken(first) && first.length > 0 ? first : body, contentType)
      },
    }),
  },
  {
    id: 'unknown-pet-answers-200',
    breaks: ['INV-6'],
    sentence: 'A PATCH of a pet that does not exist gets 200, and creates nothing.',
    depart: unknownPet((petId, { body, request }, self) =>
      jsonAnswer(200, {
        petId,
        quantity: self.quantityIn(body, request.headers['content-type']),
        status: 'available',
      }),
    ),
  },
  {
    id: 'unknown-pet-answers-400',
    breaks: ['INV-6'],
    sentence: 'A PATCH of a pet that does not exist gets 400.',
    depart: unknownPet(() => {
      throw badRequest('no entry has this petId')
    }),
  },
  {
    id: 'unknown-pet-answers-500',
    breaks: ['INV-6', 'ERR-5'],
    sentence: 'A PATCH of a pet that does not exist gets 500.',
    depart: unknownPet(() => {
      throw new Error('the server stumbled')
    }),
  },
  {
    id: 'pet-id-listed-twice',
    // 2^53 + 1 lost its last digit, and became the neighbour below it.
    breaks: ['SCHEMA-1', 'INV-7'],
    sentence: 'The petIds were rounded to a double when they were stored: 2^53 is listed twice, and nothing above it.',
    depart: (before, { self }) => {
      const doubled: InventoryItem = { petId: exactDoubleLimit, quantity: 7n, status: 'available' }
      const plain = before.inventory.items().filter(({ petId }) => isPlain(petId))
      const rows = (item: InventoryItem) => (item.petId === exactDoubleLimit ? [item, item] : [item])
      return {
        inventory: createInventory([...plain, doubled]),
        operations: {
          ...before.operations,
          listInventory: () => jsonAnswer(200, self().inventory.items().flatMap(rows)),
        },
      }
    },
  },
  {
    id: 'neighbours-confused',
    // The answer names the petId that was asked for, so that INV-3 holds.
    breaks: ['INV-7'],
    sentence: 'A PATCH of a petId above 2^53 changes the entry with the nearest IEEE double.',
    depart: ({ inventory }) => ({
      inventory: {
        ...inventory,
        setQuantity(petId, quantity) {
          const nearest = BigInt(Number(petId))
          if (isPlain(petId) || !inventory.find(nearest) || !inventory.find(petId)) {
            return inventory.setQuantity(petId, quantity)
          }
          const updated = inventory.setQuantity(nearest, quantity)
          return updated && { ...updated, petId }
        },
      },
    }),
  },
  {
    id: 'invalid-patch-applied',
    breaks: ['INV-8'],
    sentence: 'A PATCH whose quantity is no integer gets 400 after the entry was set to 777.',
    depart: (before, { self }) => ({
      operations: {
        ...before.operations,
        updateInventory(call) {
          try {
            return before.operations.updateInventory(call)
          } catch (error) {
            const reading = readJson(call.body?.toString() ?? '')
            const { inventory, petIdOf } = self()
            if (reading.ok && quantityOf(reading.value) !== undefined)
              inventory.setQuantity(petIdOf(call.petId ?? ''), 777n)
            throw error
          }
        },
      },
    }),
  },
  {
    id: 'unknown-pet-written-elsewhere',
    breaks: ['INV-8'],
    sentence: 'A PATCH of a pet that does not exist gets 404 after the quantity of the first entry was set.',
    depart: unknownPet((_, { body, request }, self) => {
      const quantity = self.quantityIn(body, request.headers['content-type'])
      const [first] = self.inventory.items()
      self.inventory.setQuantity(first.petId, quantity)
      throw notFound('no entry has this petId')
    }),
  },
  {
    id: 'refused-patch-applied',
    breaks: ['INV-8'],
    sentence: 'A PATCH over the limit gets 429 after it was carried out.',
    depart: takesRefused((_, patch) => patch()),
  },
  {
    id: 'refused-patch-applied-later',
    breaks: ['INV-8'],
    sentence: 'A PATCH over the limit gets 429, and is carried out once the time is over that Retry-After names.',
    depart: carriesOutLater,
  },
  {
    id: 'orders-unknown-without-key',
    // An operation without a key that does not answer 401 is one of AUTH-1's cases too.
    breaks: ['INV-9', 'AUTH-1'],
    sentence: 'GET /store/orders answers 404 to whoever sends no key.',
    depart: (before) => ({
      letsIn: (call) => before.letsIn(call) || (call.operation === 'listOrders' && call.credential.kind === 'none'),
      operations: {
        ...before.operations,
        listOrders(call) {
          if (!call.account) throw notFound('there is nothing here')
          return before.operations.listOrders(call)
        },
      },
    }),
  },
])
