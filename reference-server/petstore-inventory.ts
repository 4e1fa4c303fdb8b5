import { badRequest, unsupportedMediaType } from '@hapi/boom'
import { type InventoryItem, int64, petStatuses } from '../src/contract/petstore/schemas.js'
import { exactInteger, isJsonObject, type Json, JsonNumber, readJson } from '../src/kit/json.js'

/** An inventory in memory. Throws if two entries have the same id. */
export const createInventory = (seed: readonly InventoryItem[]) => {
  const byId = new Map(seed.map((item) => [item.petId, item]))
  if (byId.size !== seed.length) throw new Error('two entries of the inventory have the same petId')
  let listed: readonly InventoryItem[] | undefined
  return {
    /** All entries; the list stays the same object until something changes. */
    items() {
      listed ??= [...byId.values()]
      return listed
    },
    find: (petId: bigint) => byId.get(petId),
    /** Returns the changed entry; undefined if there is none with that id. */
    setQuantity(petId: bigint, quantity: bigint) {
      const item = byId.get(petId)
      if (!item) return undefined
      const updated = { ...item, quantity }
      byId.set(petId, updated)
      listed = undefined
      return updated
    },
  }
}

/** Two neighbours above 2^53 that round to the same IEEE double, and the greatest int64. */
const delicateIds = [9_007_199_254_740_995n, 9_007_199_254_740_996n, int64.max]

/** An inventory of `size` entries with the three statuses in turn; a double would round the ids of the last ones. */
export const seedInventory = (size: number): readonly InventoryItem[] => {
  const delicate = delicateIds.slice(0, Math.max(0, size - 1))
  return Array.from({ length: size }, (_, index): InventoryItem => {
    const plain = size - delicate.length
    return {
      petId: index < plain ? BigInt(index + 1) : delicate[index - plain],
      quantity: BigInt((index * 7) % 23),
      status: petStatuses[index % petStatuses.length],
    }
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The quantity in a PATCH body, any int64 (§8). Throws a 400 for an invalid body, a 415 for another type. */
export const quantityIn = (body: Buffer | undefined, contentType: string | undefined): bigint => {
  if (body === undefined || body.length === 0) throw badRequest('the body is missing')
  if (contentType !== undefined && !isJsonType(contentType))
    throw unsupportedMediaType('the body has to be application/json')
  return checkedQuantity(jsonIn(body))
}

/** The body as JSON, with all digits. Throws a 400 if it is not JSON. */
export const jsonIn = (body: Buffer): Json => {
  const reading = readJson(decoded(body))
  if (!reading.ok) throw badRequest('the body is not JSON')
  return reading.value
}

const checkedQuantity = (body: Json): bigint => {
  if (!isJsonObject(body)) throw badRequest('the body has to be an object')
  // A quantity in `__proto__` does not count.
  if (!Object.hasOwn(body, 'quantity')) throw badRequest('quantity is missing')
  const { quantity } = body
  const exact = quantity instanceof JsonNumber ? exactInteger(quantity.value) : undefined
  if (exact === undefined) throw badRequest('quantity has to be an integer')
  if (exact < int64.min || exact > int64.max) throw badRequest('quantity has to be within int64')
  return exact
}

const isJsonType = (contentType: string) => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())

const decoded = (body: Buffer): string => {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('the body is not UTF-8')
  }
}

/** The petId in a path, an int64 in plain digits, so that each entry has one address. Throws a 400 otherwise. */
export const petIdOf = (text: string): bigint => {
  const id = /^(0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || id < int64.min || id > int64.max) throw badRequest('petId has to be an integer within int64')
  return id
}
