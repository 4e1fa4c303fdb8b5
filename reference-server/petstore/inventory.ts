import { type InventoryItem, int64, petStatuses } from '../../src/contract/petstore/schemas.js'

/** The stock of the shop. Entries are values: a change makes a new one. */
export interface Inventory {
  /** All entries, in a list that is the same object for as long as nothing changes. */
  items(): readonly InventoryItem[]
  find(petId: bigint): InventoryItem | undefined
  /** The entry after the change; undefined, and nothing changed, where there is none with that id. */
  setQuantity(petId: bigint, quantity: bigint): InventoryItem | undefined
}

/** An inventory in memory. Throws where two entries have the same id. */
export const createInventory = (seed: readonly InventoryItem[]): Inventory => {
  const byId = new Map(seed.map((item) => [item.petId, item]))
  if (byId.size !== seed.length) throw new Error('two entries of the inventory have the same petId')
  let listed: readonly InventoryItem[] | undefined
  return {
    items() {
      listed ??= [...byId.values()]
      return listed
    },
    find: (petId) => byId.get(petId),
    setQuantity(petId, quantity) {
      const item = byId.get(petId)
      if (!item) return undefined
      const updated = { ...item, quantity }
      byId.set(petId, updated)
      listed = undefined
      return updated
    },
  }
}

/** Two neighbours above 2^53 that are the same IEEE double, and the greatest int64. */
const delicateIds = [9_007_199_254_740_995n, 9_007_199_254_740_996n, int64.max]

/** An inventory of `size` entries, with the three statuses in turn; the last ones have ids that a double rounds. */
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
