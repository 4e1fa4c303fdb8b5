import { badRequest, notFound } from '@hapi/boom'
import { exactDoubleLimit, type InventoryItem, int64 } from '../../src/contract/petstore/schemas.js'
import { isJsonObject, readJson } from '../../src/kit/json.js'
import {
  answering,
  type Call,
  type Departure,
  entryOf,
  listing,
  type PetstoreBehaviour,
  storing,
  updating,
} from '../behaviour.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import { createInventory } from '../petstore-inventory.js'
import { fault, faultsOf } from './fault.js'
import { isPlain, quantityOf } from './inventory.js'

/** Another answer to a PATCH of a pet that does not exist. */
const unknownPet = (instead: (call: Call, self: PetstoreBehaviour) => Answer): Departure =>
  updating((call, update, self) => (entryOf(call, self) ? update() : instead(call, self)))

/** Departures from §4: which pet a petId stands for, and pets that do not exist. */
export const petFaults = faultsOf('INV', {
  'unknown-pet-answers-200': fault('A PATCH of a pet that does not exist gets 200, and creates nothing.', 'INV-6').by(
    unknownPet(({ petId = '', body, request }, self) =>
      jsonAnswer(200, {
        petId: self.petIdOf(petId),
        quantity: self.quantityIn(body, request.headers['content-type']),
        status: 'available',
      }),
    ),
  ),
  'unknown-pet-answers-400': fault('A PATCH of a pet that does not exist gets 400.', 'INV-6').by(
    unknownPet(() => {
      throw badRequest('no entry has this petId')
    }),
  ),
  'unknown-pet-answers-500': fault('A PATCH of a pet that does not exist gets 500.', 'INV-6', 'ERR-5').by(
    unknownPet(() => {
      throw new Error('the server stumbled')
    }),
  ),
  'negative-pet-id-answers-400': fault('A negative petId gets 400.', 'INV-6').by((before) => ({
    petIdOf(text) {
      if (text.startsWith('-')) throw badRequest('petId has to be positive')
      return before.petIdOf(text)
    },
  })),
  'least-pet-id-answers-400': fault('The least int64 as petId gets 400.', 'INV-6').by(({ petIdOf }) => ({
    petIdOf(text) {
      const id = petIdOf(text)
      if (id === int64.min) throw badRequest('petId is too small')
      return id
    },
  })),
  'pet-id-cut-to-32-bits': fault('Only the lower 32 bits of an unknown petId count.', 'INV-6').by(
    ({ petIdOf, inventory }) => ({
      petIdOf(text) {
        const id = petIdOf(text)
        return inventory.find(id) ? id : BigInt.asUintN(32, id)
      },
    }),
  ),
  // 2^53 + 1 lost its last digit and became 2^53.
  'pet-id-listed-twice': fault('petIds are stored as doubles: 2^53 comes twice.', 'SCHEMA-1', 'INV-7').by(
    ({ inventory }) => {
      const doubled: InventoryItem = { petId: exactDoubleLimit, quantity: 7n, status: 'available' }
      const plain = inventory.items().filter(({ petId }) => isPlain(petId))
      return { inventory: createInventory([...plain, doubled]) }
    },
    listing((items) => items.flatMap((item) => (item.petId === exactDoubleLimit ? [item, item] : [item]))),
  ),
  // The answer has the requested petId, so INV-3 holds.
  'neighbours-confused': fault('A PATCH of a petId above 2^53 changes the entry of the nearest double.', 'INV-7').by(
    storing((petId, quantity, inventory) => {
      const nearest = BigInt(Number(petId))
      const isConfused = !isPlain(petId) && inventory.find(nearest) && inventory.find(petId)
      if (!isConfused) return inventory.setQuantity(petId, quantity)
      const updated = inventory.setQuantity(nearest, quantity)
      return updated && { ...updated, petId }
    }),
  ),
})

const isRefused = (call: Call) => call.ruling.windows.some(({ refused }) => refused)

/** Refuses a PATCH over the limit only after reading its body, and gives `take` the change that it asked for. */
const takesRefused =
  (take: (call: Call, patch: () => void) => void): Departure =>
  (before, surroundings) => ({
    // Admitted with its refusal noted, because bodies are read only after admission.
    meter(store, arrival, charges) {
      const ruling = before.meter(store, arrival, charges)
      const through = arrival.operation === 'updateInventory' && arrival.account !== undefined
      if (ruling instanceof Promise || !through || ruling.outcome !== 'refused') return ruling
      return { ...ruling, outcome: 'admitted' }
    },
    shown: (ruling, call) => before.shown(isRefused(call) ? { ...ruling, outcome: 'refused' } : ruling, call),
    ...updating((call, update, self) => {
      if (!isRefused(call)) return update()
      take(call, () => {
        try {
          update()
        } catch {
          // It is refused even if its body or id is invalid.
        }
      })
      return self.refusal(call)
    })(before, surroundings),
  })

/** Carries out a refused PATCH after its named wait, before the next request is served. */
const carriesOutLater: Departure = (before, surroundings) => {
  let due: { atMs: number; patch: () => void }[] = []
  const refused = takesRefused(({ nowMs, ruling }, patch) => due.push({ atMs: nowMs + ruling.retryAfterMs, patch }))
  const carryOut = (nowMs: number) => {
    const ripe = due.filter(({ atMs }) => atMs <= nowMs)
    due = due.filter(({ atMs }) => atMs > nowMs)
    for (const { patch } of ripe) patch()
  }
  const { meter, ...rest } = refused(before, surroundings)
  return {
    ...rest,
    meter(store, arrival, charges) {
      carryOut(arrival.nowMs)
      return (meter ?? before.meter)(store, arrival, charges)
    },
  }
}

/** Departures from §4: a refused request still changes something, or gets the wrong refusal. */
export const refusalFaults = faultsOf('INV', {
  'invalid-patch-applied': fault('A PATCH whose quantity is not an integer sets it to 777, and gets 400.', 'INV-8').by(
    updating(({ petId = '', body }, update, { inventory, petIdOf }) => {
      try {
        return update()
      } catch (error) {
        const reading = readJson(body?.toString() ?? '')
        if (reading.ok && quantityOf(reading.value) !== undefined) inventory.setQuantity(petIdOf(petId), 777n)
        throw error
      }
    }),
  ),
  'bounds-judged-after-write': fault('A negative quantity is stored, and then gets 400.', 'INV-8').by(
    updating((call, update, self) => {
      const answer = update()
      const item = entryOf(call, self)
      if (item && item.quantity < 0n) throw badRequest('quantity has to be positive')
      return answer
    }),
  ),
  'unknown-field-judged-after-write': fault(
    'A PATCH with a field besides quantity is stored, and then gets 400.',
    'INV-8',
  ).by(
    updating((call, update) => {
      const answer = update()
      const reading = readJson(call.body?.toString() ?? '')
      if (reading.ok && isJsonObject(reading.value) && Object.keys(reading.value).length > 1)
        throw badRequest('a field is unknown')
      return answer
    }),
  ),
  'unknown-pet-written-elsewhere': fault(
    'A PATCH of an unknown pet changes the first entry, and gets 404.',
    'INV-8',
  ).by(
    unknownPet(({ body, request }, self) => {
      const quantity = self.quantityIn(body, request.headers['content-type'])
      const [first] = self.inventory.items()
      self.inventory.setQuantity(first.petId, quantity)
      throw notFound('no entry has this petId')
    }),
  ),
  'refused-patch-applied': fault('A PATCH is applied before its 429.', 'INV-8').by(takesRefused((_, patch) => patch())),
  'refused-patch-applied-later': fault('A PATCH over the limit is applied after its 429.', 'INV-8').by(carriesOutLater),
  // Without a key, any answer but 401 also breaks AUTH-1.
  'orders-unknown-without-key': fault('GET /store/orders answers 404 without a key.', 'INV-9', 'AUTH-1').by(
    (before) => ({
      letsIn: (call) => before.letsIn(call) || (call.operation === 'listOrders' && call.credential.kind === 'none'),
    }),
    answering((call, asBefore) => {
      if (!call.account) throw notFound('there is nothing here')
      return asBefore()
    }, 'listOrders'),
  ),
})
