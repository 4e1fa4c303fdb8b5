import { badData, forbidden } from '@hapi/boom'
import { exactDoubleLimit, type InventoryItem } from '../../src/contract/petstore/schemas.js'
import { exactInteger, isJsonObject, type Json, JsonNumber, readJson } from '../../src/kit/json.js'
import {
  anew,
  answering,
  type Call,
  type Departure,
  entryOf,
  type Inventory,
  listing,
  readingBody,
  storing,
  together,
  updating,
} from '../behaviour.js'
import { type Answer, jsonAnswer } from '../http/answer.js'
import { fault, faultsOf } from './fault.js'
import { everyNth } from './odd-meters.js'

/** Only small ids, so that INV-7, about neighbours above 2^53, is not broken too. */
export const isPlain = (petId: bigint) => petId < exactDoubleLimit

/** Carries out a PATCH, but changes its answer. */
const answersPatch = (as: (updated: InventoryItem, old: InventoryItem) => { status?: number; item: InventoryItem }) =>
  updating((call, update, self) => {
    const old = entryOf(call, self)
    const answer = update()
    const updated = entryOf(call, self)
    if (!old || !updated) return answer
    const { status = 200, item } = as(updated, old)
    return jsonAnswer(status, item)
  })

/** For a PATCH, begins to write at once, and ends with `write` a little later, before the answer. */
const writesSlowly =
  (begin: (inventory: Inventory, petId: bigint) => (quantity: bigint) => void): Departure =>
  (before, surroundings) => ({
    ...storing((petId, quantity, inventory) => {
      const item = inventory.find(petId)
      if (!item) return undefined
      const write = begin(inventory, petId)
      void surroundings.sleep(10).then(() => write(quantity))
      return { ...item, quantity }
    })(before, surroundings),
    finish: async (answer, { operation }) => {
      if (operation === 'updateInventory') await surroundings.sleep(20)
      return answer
    },
  })

/** Reads all entries, and writes them all back. */
const writesAllBack = writesSlowly((inventory, petId) => {
  const all = inventory.items()
  return (quantity) => {
    for (const each of all) inventory.setQuantity(each.petId, each.petId === petId ? quantity : each.quantity)
  }
})

/** Shows 0 until it writes. */
const writesTorn = writesSlowly((inventory, petId) => {
  inventory.setQuantity(petId, 0n)
  return (quantity) => inventory.setQuantity(petId, quantity)
})

/** Answers with another list after 20 others in the same 100 ms. */
export const listingUnderLoad = (as: (items: readonly InventoryItem[]) => readonly object[]): Departure =>
  anew(() => {
    const read: number[] = []
    return answering((call, asBefore, { inventory }) => {
      read.push(call.nowMs)
      const isLoad = call.nowMs - (read.at(-21) ?? Number.NEGATIVE_INFINITY) < 100
      return isLoad ? jsonAnswer(200, as(inventory.items())) : asBefore()
    }, 'listInventory')
  })

/** 0.4 s after a PATCH, its pet gets the quantity back that it had before. */
const undoesLater: Departure = (before, surroundings) => {
  const former = new Map<bigint, { readonly quantity: bigint; readonly atMs: number }>()
  const { inventory } = before
  const setQuantity = (petId: bigint, quantity: bigint) => {
    const item = inventory.find(petId)
    if (item) former.set(petId, { quantity: item.quantity, atMs: before.nowMs() + 400 })
    return inventory.setQuantity(petId, quantity)
  }
  const undo = (call: Call, asBefore: () => Answer): Answer => {
    for (const [petId, { quantity, atMs }] of former) {
      if (atMs > call.nowMs) continue
      former.delete(petId)
      inventory.setQuantity(petId, quantity)
    }
    return asBefore()
  }
  const changed = answering(undo, 'listInventory', 'updateInventory')
  return { ...changed(before, surroundings), inventory: { ...inventory, setQuantity } }
}

/** Departures from §4: what the list shows, what a PATCH changes, and what it answers. */
export const effectFaults = faultsOf('INV', {
  'list-wrapped': fault('GET /inventory answers {items: […]}.', 'INV-1').by(listing((items) => ({ items }))),
  'list-answers-203': fault('GET /inventory answers 203.', 'INV-1').by(listing((items) => items, 203)),
  'list-stale': fault('The list never changes: it shows the quantities from the start.', 'INV-2').byEach((before) => {
    const first = new Map(before.inventory.items().map((item) => [item.petId, item]))
    const shown = (item: InventoryItem) => (isPlain(item.petId) ? (first.get(item.petId) ?? item) : item)
    return listing((items) => items.map(shown))
  }),
  'list-leaves-one-out': fault('Every fifth list leaves out an entry, each time another.', 'INV-1').byEach(() => {
    let [inRow, leftOut] = [0, 0]
    return answering(
      (call, asBefore, { inventory }) => {
        inRow = call.operation === 'listInventory' ? inRow + 1 : 0
        if (inRow === 0 || inRow % 5 > 0) return asBefore()
        leftOut += 1
        const items = inventory.items()
        return jsonAnswer(
          200,
          items.filter((_, i) => i !== leftOut % items.length),
        )
      },
      'listInventory',
      'updateInventory',
    )
  }),
  'list-empty-under-load': fault('The list is empty after 20 others in the same 100 ms.', 'INV-1').by(
    listingUnderLoad(() => []),
  ),
  'entry-twice-under-load': fault('After 20 others in the same 100 ms the list shows an entry twice.', 'INV-7').by(
    listingUnderLoad((items) => [...items, items[0]]),
  ),
  'list-kept-for-each-key': fault('Each key gets its own list of up to 3 s ago, unless it writes.', 'INV-2').byEach(
    () => {
      const kept = new Map<string, { readonly until: number; readonly answer: Answer }>()
      return answering(
        (call, asBefore) => {
          const key = `${call.request.headers.authorization}`
          if (call.operation === 'updateInventory') kept.delete(key)
          if (call.operation !== 'listInventory') return asBefore()
          const { until, answer } = kept.get(key) ?? { until: 0, answer: asBefore() }
          if (call.nowMs < until) return answer
          kept.set(key, { until: call.nowMs + 3_000, answer: asBefore() })
          return asBefore()
        },
        'listInventory',
        'updateInventory',
      )
    },
  ),
  'patch-touches-another-entry': fault('A PATCH adds one to the quantity of the next entry as well.', 'INV-2').by(
    storing((petId, quantity, inventory) => {
      const next = isPlain(petId) ? inventory.find(petId + 1n) : undefined
      const updated = inventory.setQuantity(petId, quantity)
      if (updated && next) inventory.setQuantity(next.petId, next.quantity + 1n)
      return updated
    }),
  ),
  'patch-touches-another-at-times': fault(
    'Every fourth PATCH that changes a quantity adds one to that of another entry.',
    'INV-2',
  ).byEach(() => {
    const isTurn = everyNth(4)
    return storing((petId, quantity, inventory) => {
      const isChange = inventory.find(petId)?.quantity !== quantity
      const other = inventory.items().find((item) => item.petId !== petId)
      if (isChange && isPlain(petId) && other && isTurn()) inventory.setQuantity(other.petId, other.quantity + 1n)
      return inventory.setQuantity(petId, quantity)
    })
  }),
  'patch-shows-zero-meanwhile': fault('A list beside a PATCH shows 0 for its pet.', 'INV-2').by(writesTorn),
  'last-pet-not-stored': fault(
    'A PATCH of the pet with the greatest petId below 2^53 is answered, but not stored.',
    'INV-2',
  ).by(
    storing((petId, quantity, inventory) => {
      const last = inventory.items().findLast((item) => isPlain(item.petId))
      return last?.petId === petId ? { ...last, quantity } : inventory.setQuantity(petId, quantity)
    }),
  ),
  'patch-not-stored': fault('A PATCH gets the right answer, but nothing is stored.', 'INV-2').by(
    storing((petId, quantity, inventory) => {
      const item = inventory.find(petId)
      return item && isPlain(petId) ? { ...item, quantity } : inventory.setQuantity(petId, quantity)
    }),
  ),
  'patch-writes-all-back': fault('A PATCH writes back all that it had read: one beside it is lost.', 'INV-2').by(
    writesAllBack,
  ),
  'update-undone-later': fault('0.4 s after a PATCH the pet has its former quantity again.', 'INV-2').by(
    anew(() => undoesLater),
  ),
  'emptied-pet-unlisted': fault('A pet whose quantity a PATCH sets to 0 leaves the list.', 'INV-2').byEach(() => {
    const emptied = new Set<bigint>()
    return together(
      listing((items) => items.filter(({ petId }) => !emptied.has(petId))),
      storing((petId, quantity, inventory) => {
        if (quantity === 0n && isPlain(petId)) emptied.add(petId)
        else emptied.delete(petId)
        return inventory.setQuantity(petId, quantity)
      }),
    )
  }),
  'quantity-as-float': fault('Quantities are stored as 32-bit floats.', 'INV-2', 'INV-3').by(
    storing((petId, quantity, inventory) => inventory.setQuantity(petId, BigInt(Math.fround(Number(quantity))))),
  ),
  'patch-answers-old-quantity': fault('A PATCH answers with the old quantity.', 'INV-3').by(
    answersPatch((_, old) => ({ item: old })),
  ),
  'free-plan-may-not-write': fault('A PATCH with a Free key gets 403.', 'INV-3').by(
    updating(({ account }, update) => {
      if (account?.plan === 'free') throw forbidden('the Free plan may only read')
      return update()
    }),
  ),
  'patch-answers-201': fault('A PATCH answers 201.', 'INV-3').by(answersPatch((item) => ({ status: 201, item }))),
  'patch-answers-another-pet': fault('A PATCH answers with the next petId.', 'INV-3').by(
    answersPatch((item) => ({ item: isPlain(item.petId) ? { ...item, petId: item.petId + 1n } : item })),
  ),
})

/** The quantity in a body, of any type. */
export const quantityOf = (body: Json): Json | undefined =>
  isJsonObject(body) && Object.hasOwn(body, 'quantity') ? body.quantity : undefined

/** Accepts a body without a valid quantity. */
const accepts = (lenient: (quantity: Json | undefined, body: Json) => bigint | undefined): Departure =>
  readingBody((body, asBefore) => {
    const reading = readJson(body?.toString() ?? '')
    return (reading.ok ? lenient(quantityOf(reading.value), reading.value) : undefined) ?? asBefore(body)
  })

const integerOf = (value: Json | undefined) => (value instanceof JsonNumber ? exactInteger(value.value) : undefined)

const isLacking = (body: Buffer | undefined) => body === undefined || body.length === 0

const isBroken = (body: Buffer | undefined) => body !== undefined && body.length > 0 && !readJson(body.toString()).ok

const refusesBody = (isMeant: (body: Buffer | undefined) => boolean, error: () => Error): Departure =>
  readingBody((body, asBefore) => {
    if (isMeant(body)) throw error()
    return asBefore(body)
  })

/** Accepts certain fractions, truncated to integers. */
const cutsOff = (isMeant: (value: number) => boolean): Departure =>
  accepts((quantity) => {
    if (!(quantity instanceof JsonNumber) || exactInteger(quantity.value) !== undefined) return undefined
    const [value, whole] = [Number(quantity.value), Math.trunc(Number(quantity.value))]
    return isMeant(value) && Number.isSafeInteger(whole) ? BigInt(whole) : undefined
  })

/** Departures from §4: which PATCH bodies are accepted. */
export const bodyFaults = faultsOf('INV', {
  'missing-quantity-accepted': fault('A PATCH with an empty object gets 200, and changes nothing.', 'INV-4').by(
    updating((call, update, self) => {
      const reading = readJson(call.body?.toString() ?? '')
      const item = entryOf(call, self)
      const empty = reading.ok && isJsonObject(reading.value) && !Object.hasOwn(reading.value, 'quantity')
      return empty && item ? jsonAnswer(200, item) : update()
    }),
  ),
  'missing-body-answers-422': fault('A PATCH without a body gets 422.', 'INV-4').by(
    refusesBody(isLacking, () => badData('the body is missing')),
  ),
  'string-quantity-accepted': fault('A quantity in quotes is accepted as a number.', 'INV-5').by(
    accepts((quantity) => (typeof quantity === 'string' ? exactInteger(quantity) : undefined)),
  ),
  'hexadecimal-accepted': fault('A string of hexadecimal digits is accepted as a number.', 'INV-5').by(
    accepts((quantity) =>
      typeof quantity === 'string' && /^0x[\da-f]+$/i.test(quantity) ? BigInt(quantity) : undefined,
    ),
  ),
  'fraction-cut-off': fault('A fraction is truncated to an integer.', 'INV-5').by(cutsOff(() => true)),
  'sold-pets-not-validated': fault('What is no integer is accepted for a pet that is sold, and ignored.', 'INV-5').by(
    updating((call, update, self) => {
      const reading = readJson(call.body?.toString() ?? '')
      const item = entryOf(call, self)
      const quantity = reading.ok ? quantityOf(reading.value) : undefined
      const isSpared = item?.status === 'sold' && quantity !== undefined && integerOf(quantity) === undefined
      try {
        return update()
      } catch (error) {
        if (isSpared) return jsonAnswer(200, item)
        throw error
      }
    }),
  ),
  'boolean-quantity-accepted': fault('True is accepted as 1, false as 0.', 'INV-5').by(
    accepts((quantity) => (typeof quantity === 'boolean' ? BigInt(quantity) : undefined)),
  ),
  'null-quantity-accepted': fault('Null is accepted as 0.', 'INV-5').by(
    accepts((quantity) => (quantity === null ? 0n : undefined)),
  ),
  'array-quantity-accepted': fault('A list is accepted as quantity: its first number counts.', 'INV-5').by(
    accepts((quantity) => (Array.isArray(quantity) ? (integerOf(quantity[0]) ?? 0n) : undefined)),
  ),
  'bare-body-accepted': fault('A body that is a number, a string or a list is accepted.', 'INV-5').by(
    accepts((_, body) => (isJsonObject(body) ? undefined : (integerOf(body) ?? 0n))),
  ),
  'small-fraction-accepted': fault('A fraction of less than a thousandth is dropped.', 'INV-5').by(
    cutsOff((value) => Math.abs(value % 1) < 0.001),
  ),
  'negative-fraction-accepted': fault('Negative fractions are truncated.', 'INV-5').by(cutsOff((value) => value < 0)),
  'plus-sign-accepted': fault('A plus sign before the quantity is ignored.', 'INV-5').by(
    readingBody((body, asBefore) => asBefore(body && Buffer.from(body.toString().replace(':+', ':')))),
  ),
  'infinity-accepted': fault('Infinity is accepted as 0.', 'INV-5').by(
    readingBody((body, asBefore) => asBefore(body && Buffer.from(body.toString().replace(/:Infinity\b/, ':0')))),
  ),
  'nan-accepted': fault('NaN is accepted as 0.', 'INV-5').by(
    readingBody((body, asBefore) => asBefore(body && Buffer.from(body.toString().replace(/:NaN\b/, ':0')))),
  ),
  'broken-json-answers-422': fault('A body that is not JSON gets 422.', 'INV-5').by(
    refusesBody(isBroken, () => badData('the body is not JSON')),
  ),
  'broken-json-answers-500': fault('A body that is not JSON gets 500.', 'INV-5', 'ERR-5').by(
    refusesBody(isBroken, () => new Error('the server stumbled')),
  ),
  'text-behind-json-accepted': fault('Text after the first JSON object of a body is ignored.', 'INV-5').by(
    readingBody((body, asBefore) => {
      const text = body?.toString() ?? ''
      const first = Buffer.from(text.slice(0, text.indexOf('}') + 1))
      return asBefore(isBroken(body) && !isBroken(first) && first.length > 0 ? first : body)
    }),
  ),
})
