import { isWhole, jsonOf, readBody, sampledAnswers } from '../checks/framework/answers.js'
import { changedPets, type PetChange } from '../contract/petstore/inventory-model.js'
import { inventoryItem, petId } from '../contract/petstore/schemas.js'
import { type Evidence, exchangesOf } from '../evidence/evidence.js'
import { type Answered, type Exchange, isAnswered } from '../evidence/exchange.js'
import { lastAnswerUs, ledgerFlags } from '../evidence/ledger.js'
import { groupedBy } from '../kit/grouped-by.js'
import { isJsonObject, type Json, type JsonObject } from '../kit/json.js'
import { onceFor } from '../kit/once-for.js'
import type { Witness } from '../kit/witness.js'

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
export const idTwice = (
  entries: readonly Json[] | undefined,
  among: (id: bigint) => boolean = () => true,
): bigint | undefined => {
  const seen = new Set<bigint>()
  const ids = (entries ?? []).flatMap((entry) => readPetId(entry) ?? [])
  return ids.find((id) => among(id) && (seen.has(id) || !seen.add(id)))
}

const idsIn = onceFor((entries: readonly Json[]): ReadonlySet<bigint> | undefined => {
  const ids = entries.flatMap((entry) => readPetId(entry) ?? [])
  return ids.length === entries.length ? new Set(ids) : undefined
})

/** Once may be somebody else's doing; that an entry twice takes a quantity that was just refused can't be. */
const timesThatTell = 2

/** A list that a load was answered with, and that was kept whole; `value` is undefined if it is no JSON. */
interface LoadedList {
  readonly witness: Witness
  readonly from: number
  /** When the whole load was over. */
  readonly to: number
  readonly value: Json | undefined
}

/** What loads that read the list were answered with, as far as it was kept whole. */
export const loadedLists = onceFor((evidence: Evidence): readonly LoadedList[] =>
  sampledAnswers(evidence).flatMap(({ ledger: { head, rows }, row, witness, response }) => {
    const isRead = isWhole({ response, error: null }) && (rows.flags[row] & ledgerFlags.bodyCut) === 0
    if (head.operation !== undefined || response.status !== 200 || !isRead) return []
    const reading = readBody(response.body)
    const value = reading.ok ? reading.value : undefined
    return reading.ok || reading.reason === 'not-json'
      ? [{ witness, from: rows.sentUs[row] / 1000, to: lastAnswerUs(rows) / 1000, value }]
      : []
  }),
)

/** One reading of the list, or all from the begin of a load to the next single one that it does not overlap. */
interface ListRead {
  readonly isOfLoads: boolean
  readonly from: number
  readonly to: number
  readonly shown: readonly { readonly ids: ReadonlySet<bigint>; readonly witness: Witness }[]
}

const listReads = (evidence: Evidence): readonly ListRead[] => {
  const single = evidence.exchanges.flatMap((x): ListRead[] => {
    const entries = isListing(x) ? elementsOf(x) : undefined
    const ids = entries && idsIn(entries)
    return ids ? [{ isOfLoads: false, from: x.sentAt, to: x.endedAt, shown: [{ ids, witness: x }] }] : []
  })
  const loaded = loadedLists(evidence).flatMap(({ witness, from, to, value }): ListRead[] => {
    const ids = Array.isArray(value) ? idsIn(value) : undefined
    return ids ? [{ isOfLoads: true, from, to, shown: [{ ids, witness }] }] : []
  })
  const reads: ListRead[] = []
  for (const read of [...single, ...loaded].sort((a, b) => a.from - b.from)) {
    const last = reads.at(-1)
    if (last?.isOfLoads && (read.isOfLoads || read.from < last.to)) {
      const to = Math.max(last.to, read.to)
      reads[reads.length - 1] = { ...last, to, shown: [...last.shown, ...read.shown] }
    } else reads.push(read)
  }
  return reads
}

const showsAlways = ({ shown }: ListRead, id: bigint): boolean => shown.every(({ ids }) => ids.has(id))

/** A list that leaves out an entry which the lists just before it and just after it show. */
interface Hole {
  readonly petId: string
  readonly listings: readonly [Witness, Witness, Witness]
}

/**
 * The readings that leave an entry out which nobody took away: no two in a row leave it out (nobody takes all of several
 * away and puts them back), and no PATCH names it meanwhile. None if there is only one: somebody else may have put the
 * entry back.
 */
export const holesIn = onceFor((evidence: Evidence): readonly Hole[] => {
  const reads = listReads(evidence)
  const idsOf = ({ shown: [{ ids }] }: ListRead) => [...ids]
  const takenAway = new Set(
    reads
      .slice(2)
      .flatMap((last, i) => idsOf(reads[i]).filter((id) => !showsAlways(reads[i + 1], id) && !showsAlways(last, id))),
  )
  const holes = reads.slice(2).flatMap((after, i): Hole[] => {
    const [before, between] = [reads[i], reads[i + 1]]
    const isEmptied = between.shown.some(({ ids }) => ids.size === 0) && idsOf(before).length > 1
    const isNamed = (id: bigint) =>
      evidence.exchanges.some((x) => x.intent.petId === String(id) && x.endedAt >= before.from && x.sentAt <= after.to)
    const isLeftOut = (id: bigint) =>
      showsAlways(before, id) &&
      !showsAlways(between, id) &&
      showsAlways(after, id) &&
      (isEmptied || !takenAway.has(id)) &&
      !isNamed(id)
    const leftOut = idsOf(before).find(isLeftOut)
    const lacking = between.shown.find(({ ids }) => leftOut !== undefined && !ids.has(leftOut))
    return leftOut === undefined || !lacking
      ? []
      : [{ petId: String(leftOut), listings: [before.shown[0].witness, lacking.witness, after.shown[0].witness] }]
  })
  return holes.length >= timesThatTell ? holes : []
})

/** The first two lists of each key whose first one is empty and whose next one is not, in order of sending. */
export const emptyAtFirst = (evidence: Evidence): readonly (readonly [first: Exchange, next: Exchange])[] => {
  const entriesIn = (x?: Answered) => x && elementsOf(x)?.length
  return [...groupedBy(evidence.exchanges.filter(isListing), ({ key }) => key).values()].flatMap(([first, next]) =>
    entriesIn(first) === 0 && (entriesIn(next) ?? 0) > 0 ? [[first, next] as const] : [],
  )
}

/** PATCHes between two readings of the list. */
export interface WrittenBetween {
  readonly before: Answered
  readonly patches: readonly Exchange[]
  /** A list that was asked for at the same moment as the PATCHes. */
  readonly beside?: Answered
  readonly after: Answered
}

const writtenBetween = (row: readonly Exchange[], isMeant: (x: Exchange) => boolean): readonly WrittenBetween[] => {
  const found: WrittenBetween[] = []
  let [before, beside]: (Answered | undefined)[] = []
  let patches: Exchange[] = []
  for (const x of row) {
    if (!isListing(x)) {
      if (isMeant(x)) patches.push(x)
      continue
    }
    if (x.step === 'at-once') {
      beside = x
      continue
    }
    if (before) found.push({ before, patches, beside, after: x })
    ;[before, beside, patches] = [x, undefined, []]
  }
  return found
}

/** Each time that different pets were changed simultaneously, in order. */
export const writtenAtOnce = (evidence: Evidence): readonly WrittenBetween[] => {
  const row = exchangesOf(evidence, 'read-write-read').toSorted((a, b) => a.sentAt - b.sentAt)
  const isMeant = ({ operation, step }: Exchange) => step === 'at-once' && operation === 'updateInventory'
  return writtenBetween(row, isMeant).filter(({ patches }) => patches.length > 1)
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
  const isMeant = (x: Exchange) => x.operation === 'updateInventory' && x.step !== 'control'
  const between = writtenBetween(row, isMeant).filter(({ patches }) => patches.every(isRefusal))
  const found = groupedBy(between.flatMap(astrayIn), ({ petId }) => petId)
  return [...found.values()].find((writes) => writes.length >= timesThatTell) ?? []
}
