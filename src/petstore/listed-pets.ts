import { isWhole, jsonOf } from '../checks/framework/answers.js'
import { changedPets, type PetChange } from '../contract/petstore/inventory-model.js'
import { inventoryItem, petId } from '../contract/petstore/schemas.js'
import { type Evidence, exchangesOf } from '../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../evidence/exchange.js'
import { isJsonObject, type Json, type JsonObject } from '../kit/json.js'
import { onceFor } from '../kit/once-for.js'

const petIdIn = onceFor((entry: JsonObject): bigint | undefined => petId.safeParse(entry.petId).data)

/** The petId of an entry, digit for digit; undefined if it has none within int64. */
export const readPetId = (entry: Json): bigint | undefined => (isJsonObject(entry) ? petIdIn(entry) : undefined)

export const isListing = (x: Exchange): x is Answered =>
  x.operation === 'listInventory' && isAnswered(x) && x.response.status === 200

export const isUpdated = (x: Exchange): x is Answered =>
  x.operation === 'updateInventory' && isAnswered(x) && x.response.status === 200

/** The elements of a listing as they came; undefined if the body is no array. */
export const elementsOf = (x: Answered): readonly Json[] | undefined => {
  const reading = isWhole(x) ? jsonOf(x) : undefined
  return reading?.ok && Array.isArray(reading.value) ? reading.value : undefined
}

/** The entries that a list or an update shows; undefined if it can't be read. */
export const entriesIn = (x: Answered): readonly Json[] | undefined => {
  if (isListing(x)) return elementsOf(x)
  const reading = isWhole(x) ? jsonOf(x) : undefined
  return reading?.ok ? [reading.value] : undefined
}

const fieldIn = (field: 'quantity' | 'status') => {
  const valueIn = (element: Json): [string, string][] => {
    const { data } = inventoryItem.safeParse(element)
    return data ? [[String(data.petId), String(data[field])]] : []
  }
  const valuesIn = onceFor((all: readonly Json[]): ReadonlyMap<string, string> => new Map(all.flatMap(valueIn)))
  return (x: Exchange) => {
    const elements = isListing(x) ? elementsOf(x) : undefined
    return elements && valuesIn(elements)
  }
}

/** Quantity by petId, of the readable entries; undefined if the list can't be read. */
export const quantitiesOf = fieldIn('quantity')

export const statusesOf = fieldIn('status')

/** An id that two entries of a list show; undefined if each has its own. */
export const idTwice = (listing: Answered, among: (id: bigint) => boolean = () => true): bigint | undefined => {
  const seen = new Set<bigint>()
  const ids = (elementsOf(listing) ?? []).flatMap((entry) => readPetId(entry) ?? [])
  return ids.find((id) => among(id) && (seen.has(id) || !seen.add(id)))
}

/** How many accepted PATCHes changed an entry and show in the next list: an ignored one would have been seen there. */
export const writesShown = (row: readonly Exchange[]): number => {
  const [held, written] = [new Map<string, string>(), new Map<string, string>()]
  let shown = 0
  for (const x of row.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const { petId, quantity } = x.intent
    if (isUpdated(x) && held.get(petId) !== quantity) written.set(petId, quantity)
    for (const [id, listed] of quantitiesOf(x) ?? []) {
      if (written.get(id) === listed) shown += 1
      written.delete(id)
      held.set(id, listed)
    }
  }
  return shown
}

const idsIn = onceFor((entries: readonly Json[]): ReadonlySet<bigint> | undefined => {
  const ids = entries.flatMap((entry) => readPetId(entry) ?? [])
  return ids.length === entries.length ? new Set(ids) : undefined
})

/** Once may be somebody else's doing; that an entry twice takes a quantity that was just refused can't be. */
const timesThatTell = 2

/** A list that leaves out an entry which the lists just before it and just after it show. */
interface Hole {
  readonly petId: string
  readonly listings: readonly [Answered, Answered, Answered]
}

/**
 * The lists that leave an entry out which nobody took away: no two lists in a row leave it out, and no PATCH names it
 * meanwhile. None if there is only one: somebody else may have put the entry back. `row`: in order, PATCHes included.
 */
export const holesIn = (row: readonly Exchange[]): readonly Hole[] => {
  const read = row.flatMap((x, at) => {
    const entries = isListing(x) ? elementsOf(x) : undefined
    const ids = entries && idsIn(entries)
    return ids && isListing(x) ? [{ x, ids, at }] : []
  })
  const takenAway = new Set(
    read
      .slice(2)
      .flatMap(({ ids: last }, i) => [...read[i].ids].filter((id) => !read[i + 1].ids.has(id) && !last.has(id))),
  )
  const holes = read.slice(2).flatMap((after, i): Hole[] => {
    const [before, between] = [read[i], read[i + 1]]
    const isNamed = (id: bigint) => row.slice(before.at, after.at).some(({ intent }) => intent.petId === String(id))
    const isLeftOut = (id: bigint) => !between.ids.has(id) && after.ids.has(id) && !takenAway.has(id) && !isNamed(id)
    const leftOut = [...before.ids].find(isLeftOut)
    return leftOut === undefined ? [] : [{ petId: String(leftOut), listings: [before.x, between.x, after.x] }]
  })
  return holes.length >= timesThatTell ? holes : []
}

/** PATCHes between two readings of the list. */
export interface WrittenBetween {
  readonly before: Answered
  readonly patches: readonly Exchange[]
  readonly after: Answered
}

const writtenBetween = (row: readonly Exchange[], isMeant: (x: Exchange) => boolean): readonly WrittenBetween[] => {
  const found: WrittenBetween[] = []
  let before: Answered | undefined
  let patches: Exchange[] = []
  for (const x of row) {
    if (isMeant(x)) patches.push(x)
    if (!isListing(x)) continue
    if (before) found.push({ before, patches, after: x })
    before = x
    patches = []
  }
  return found
}

/** Each time that different pets were changed simultaneously, in order. */
export const writtenAtOnce = (evidence: Evidence): readonly WrittenBetween[] => {
  const row = exchangesOf(evidence, 'read-write-read').toSorted((a, b) => a.sentAt - b.sentAt)
  return writtenBetween(row, ({ step }) => step === 'at-once').filter(({ patches }) => patches.length > 1)
}

/** Whether all of them were accepted: of any other, nobody knows when it takes effect, or whether it counts. */
export const areAllAccepted = ({ patches }: WrittenBetween): boolean => patches.every(isUpdated)

/** A refused PATCH between two readings, and how an entry changed that it does not name. */
interface AstrayWrite extends PetChange {
  readonly patch: Exchange
  readonly readings: readonly [Exchange, Exchange]
}

const astrayIn = ({ before, patches, after }: WrittenBetween): AstrayWrite[] => {
  const [was, is] = [quantitiesOf(before), quantitiesOf(after)]
  const [patch, ...more] = patches
  if (!was || !is || !patch || more.length > 0) return []
  return changedPets(was, is)
    .filter((change) => change.petId !== patch.intent.petId && change.after === patch.intent.quantity)
    .map((change) => ({ ...change, patch, readings: [before, after] }))
}

/** The writes of refused PATCHes that all went to one entry that none of them names; none if that is doubtful. */
export const writesAstray = (row: readonly Exchange[], isRefusal: (x: Exchange) => boolean): readonly AstrayWrite[] => {
  const found = new Map<string, AstrayWrite[]>()
  const isMeant = (x: Exchange) => x.operation === 'updateInventory' && x.step !== 'control'
  const between = writtenBetween(row, isMeant).filter(({ patches }) => patches.every(isRefusal))
  for (const write of between.flatMap(astrayIn)) found.set(write.petId, [...(found.get(write.petId) ?? []), write])
  return [...found.values()].find((writes) => writes.length >= timesThatTell) ?? []
}
