import type { Exchange } from '../../evidence/exchange.js'
import { changedPets, isListing, quantitiesOf } from './listed-pets.js'

/** A refused PATCH between two readings, and what an entry that it does not name became. */
export interface AstrayWrite {
  readonly petId: string
  readonly before: string
  readonly after: string
  readonly patch: Exchange
  readonly readings: readonly [Exchange, Exchange]
}

/** Once may be somebody else's doing: that an entry takes two quantities in a row that were just refused can't be. */
const timesThatTell = 2

const writesBetween = (before: Exchange, patches: readonly Exchange[], after: Exchange): AstrayWrite[] => {
  const [was, is] = [quantitiesOf(before), quantitiesOf(after)]
  const [patch, ...more] = patches
  if (!was || !is || !patch || more.length > 0) return []
  return changedPets(was, is)
    .filter((change) => change.petId !== patch.intent.petId && change.after === patch.intent.quantity)
    .map((change) => ({ ...change, patch, readings: [before, after] }))
}

/** The writes of refused PATCHes that went to one and the same entry that none of them names; none where it is doubtful. */
export const writesAstray = (row: readonly Exchange[], isRefusal: (x: Exchange) => boolean): readonly AstrayWrite[] => {
  const found = new Map<string, AstrayWrite[]>()
  let before: Exchange | undefined
  let patches: Exchange[] = []
  for (const x of row) {
    if (x.operation === 'updateInventory' && x.step !== 'control') patches.push(x)
    if (!isListing(x)) continue
    const writes = before && patches.every(isRefusal) ? writesBetween(before, patches, x) : []
    for (const write of writes) found.set(write.petId, [...(found.get(write.petId) ?? []), write])
    before = x
    patches = []
  }
  return [...found.values()].find((writes) => writes.length >= timesThatTell) ?? []
}
