import { isWhole, jsonOf } from '../../checks/readings/answers.js'
import { inventoryItem } from '../../contract/petstore/schemas.js'
import type { Answered, Exchange } from '../../evidence/exchange.js'
import { isAnswered } from '../../evidence/exchange.js'
import type { Json } from '../../kit/lossless-json.js'
import { readPetId } from './read-pet-id.js'

export const isListing = (x: Exchange): x is Answered =>
  x.operation === 'listInventory' && isAnswered(x) && x.response.status === 200

export const isUpdated = (x: Exchange): x is Answered =>
  x.operation === 'updateInventory' && isAnswered(x) && x.response.status === 200

/** The elements of a listing as they came; undefined where the body is no array. */
export const elementsOf = (x: Answered): readonly Json[] | undefined => {
  const reading = isWhole(x) ? jsonOf(x) : undefined
  return reading?.ok && Array.isArray(reading.value) ? reading.value : undefined
}

/** The entries that a list or an update shows; undefined where it can't be read. */
export const entriesIn = (x: Answered): readonly Json[] | undefined => {
  if (isListing(x)) return elementsOf(x)
  const reading = isWhole(x) ? jsonOf(x) : undefined
  return reading?.ok ? [reading.value] : undefined
}

/** Every inventory entry that the target showed: the elements of its lists, and the answers of its updates. */
export const shownEntries = (exchanges: readonly Exchange[]): { readonly x: Answered; readonly entry: Json }[] =>
  exchanges
    .filter((x): x is Answered => isListing(x) || isUpdated(x))
    .flatMap((x) => (entriesIn(x) ?? []).map((entry) => ({ x, entry })))

/** Quantity by petId, of the entries that can be read; undefined where the list can't. */
export const quantitiesOf = (x: Exchange): ReadonlyMap<string, string> | undefined => {
  const elements = isListing(x) ? elementsOf(x) : undefined
  if (!elements) return undefined
  const entries = elements.flatMap((element) => {
    const parsed = inventoryItem.safeParse(element)
    return parsed.success ? [[String(parsed.data.petId), String(parsed.data.quantity)] as const] : []
  })
  return new Map(entries)
}

/** The pets whose quantity differs, or that only one of the lists shows. */
export const changedPets = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { petId: string; before: string; after: string }[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((petId) => {
    const [was, is] = [before.get(petId) ?? 'absent', after.get(petId) ?? 'absent']
    return was === is ? [] : [{ petId, before: was, after: is }]
  })

/** An id that two entries of a list show; undefined where each has its own. */
export const idTwice = (listing: Answered, among: (id: bigint) => boolean = () => true): bigint | undefined => {
  const seen = new Set<bigint>()
  const ids = (elementsOf(listing) ?? []).flatMap((entry) => readPetId(entry) ?? [])
  return ids.find((id) => among(id) && (seen.has(id) || !seen.add(id)))
}
