import { badRequest } from '@hapi/boom'
import { type InventoryItem, int64, petStatuses } from '../src/contract/petstore/schemas.js'
import { type Json, readJson } from '../src/kit/json.js'

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

/** The body as JSON, with all digits. Throws a 400 if it is not JSON. */
export const jsonIn = (body: Buffer): Json => {
  const reading = readJson(decoded(body))
  if (!reading.ok) throw badRequest('the body is not JSON')
  return reading.value
}

const decoded = (body: Buffer): string => {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('the body is not UTF-8')
  }
}
