import { type InventoryItem, int64, petStatuses } from '../../src/contract/petstore/schemas.js'

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
