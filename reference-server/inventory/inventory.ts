import type { InventoryItem } from '../../src/contract/petstore/schemas.js'

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
