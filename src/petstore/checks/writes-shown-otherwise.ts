import { objectOf } from '../../checks/framework/answers.js'
import { fail, inconclusive } from '../../checks/framework/finding.js'
import { changedPets, type PetChange, shownEntry } from '../../contract/petstore/inventory-model.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import {
  areAllAccepted,
  isListing,
  isUpdated,
  quantitiesOf,
  statusesOf,
  type WrittenBetween,
  writtenAtOnce,
} from '../listed-pets.js'

/** An entry that a list beside PATCHes leaves out, or shows neither as before nor as it was set or is behind them. */
const tornIn = ({ before, patches, beside, after }: WrittenBetween) => {
  const [was, shown, later] = [before, beside, after].map((x) => x && quantitiesOf(x))
  if (!was || !shown || !beside) return []
  const written = new Map(patches.map(({ intent }) => [intent.petId, intent.quantity]))
  return [...was].flatMap(([petId, quantity]) => {
    const is = shown.get(petId) ?? 'absent'
    const witnesses = [before, ...patches, beside] as const
    return [quantity, written.get(petId), later?.get(petId)].includes(is)
      ? []
      : [{ petId, was: quantity, shown: is, witnesses }]
  })
}

/** A list has to be right while PATCHes are under way too. A single time, somebody else may have written just then. */
const tornAtOnce = (evidence: Evidence) => {
  const torn = writtenAtOnce(evidence)
    .filter(areAllAccepted)
    .map(tornIn)
    .filter((each) => each.length > 0)
  const [first] = torn.flat()
  if (!first) return undefined
  const { petId, was, shown, witnesses } = first
  const facts = { petId, was, shown, times: torn.length }
  return torn.length > 1 ? fail('list-torn', facts, ...witnesses) : inconclusive('list-torn', facts, ...witnesses)
}

/**
 * The failure if a PATCH with one key is not in the next list of another, but in a later one. If it is in none, each key may
 * have an inventory of its own, which the interface leaves open.
 */
const staleForAnother = (evidence: Evidence) => {
  const row = evidence.exchanges.toSorted((a, b) => a.sentAt - b.sentAt)
  const at = row.findIndex((x) => x.probe === 'isolation' && x.step === 'patch' && isUpdated(x))
  const [before, patch] = [row[at - 1], row[at]]
  if (before?.probe !== 'isolation' || before.key === patch.key) return undefined
  const { petId, quantity: written } = patch.intent
  const restored = row.findIndex((x, i) => i > at && x.intent.petId === petId && x.intent.quantity !== written)
  const meanwhile = row.slice(at + 1, restored < 0 ? undefined : restored)
  const lists = meanwhile.filter((x) => x.key === before.key).filter(isListing)
  const [was, shown] = [before, lists[0]].map((x) => x && isListing(x) && quantitiesOf(x)?.get(petId))
  const later = lists.find((x) => quantitiesOf(x)?.get(petId) === written)
  return later && was && shown === was && was !== written
    ? fail('change-not-shown', { petId, written, shown }, before, patch, lists[0], later)
    : undefined
}

/** Whether a PATCH may have written something: it was accepted, or nobody knows. */
const mayWrite = ({ request, response }: Exchange): boolean =>
  request.method === 'PATCH' && !(response && response.status >= 400 && response.status < 500)

/** The PATCHes that may have written, and the readable lists of one key, in the order in which they were sent. */
const rowOf = (evidence: Evidence, key: string): readonly Exchange[] =>
  evidence.exchanges
    .filter((x) => mayWrite(x) || (x.key === key && quantitiesOf(x) !== undefined))
    .sort((a, b) => a.sentAt - b.sentAt)

/** So many pets nobody else puts back, each to what it was, while every younger change stands. */
const undoneThatTell = 3

/** An accepted PATCH, and the quantity that its pet had before. */
interface Standing {
  readonly patch: Exchange
  readonly was: string
}

/** Whether the answer to a PATCH shows the entry as the PATCH sets it: then it was understood, however odd it is. */
const isShownAsSet = (x: Exchange): boolean => {
  const { petId, quantity } = isUpdated(x) ? shownEntry(objectOf(x)) : {}
  return petId === x.intent.petId && quantity === x.intent.quantity
}

/** A change that the lists behind it do not show: the pet is as before in each of them. */
interface LostChange extends Standing {
  readonly listing: Exchange
}

/** What a row of accepted PATCHes and lists comes to: the changes that are lost, and one that somebody else made. */
const changesIn = (row: readonly Exchange[], key: string) => {
  const [held, writtenUntil] = [new Map<string, string>(), new Map<string, number>()]
  const standing = new Map<string, Standing & Partial<LostChange>>()
  const lost: LostChange[] = []
  let stranger: (PetChange & { readonly by: Exchange }) | undefined
  const settle = (petId: string) => {
    const { patch, was, listing } = standing.get(petId) ?? {}
    if (patch && was !== undefined && listing) lost.push({ patch, was, listing })
    standing.delete(petId)
  }
  const write = (x: Exchange) => {
    const { petId, quantity } = x.intent
    const was = held.get(petId)
    const isAlone = (writtenUntil.get(petId) ?? 0) <= x.sentAt
    settle(petId)
    held.delete(petId)
    writtenUntil.set(petId, Math.max(writtenUntil.get(petId) ?? 0, x.endedAt))
    if (x.key !== key || !isShownAsSet(x) || !isAlone) return
    held.set(petId, quantity)
    if (was !== undefined && was !== quantity) standing.set(petId, { patch: x, was })
  }
  const read = (listing: Exchange, quantities: ReadonlyMap<string, string>) => {
    const before = standing.size > 0 ? new Map(held) : held
    /** A write that went to another entry than the one that it names is INV-6's matter, or INV-7's. */
    const isAstray = ({ intent }: Exchange) =>
      changedPets(before, quantities).some(({ petId, after }) => petId !== intent.petId && after === intent.quantity)
    for (const [petId, shown] of quantities) {
      const change = standing.get(petId)
      if (change && listing.sentAt < change.patch.endedAt) continue
      const isLost = shown === change?.was
      if (isLost && !isAstray(change.patch)) standing.set(petId, { listing, ...change })
      else standing.delete(petId)
      const was = held.get(petId)
      if (!isLost && !change?.listing && was !== undefined && was !== shown)
        stranger ??= { petId, before: was, after: shown, by: listing }
      held.set(petId, shown)
    }
  }
  for (const x of row) {
    const quantities = quantitiesOf(x)
    if (quantities) read(x, quantities)
    else write(x)
  }
  for (const petId of standing.keys()) settle(petId)
  return { lost, stranger }
}

/**
 * The finding if accepted PATCHes show in no list behind them. A single time, somebody else may have put a pet back just then;
 * and who changes other pets may do so more often.
 */
const lostChanges = (evidence: Evidence, key: string) => {
  const { lost, stranger } = changesIn(rowOf(evidence, key), key)
  const [first] = lost
  if (!first) return undefined
  const { petId, quantity: written } = first.patch.intent
  const witnesses = lost.flatMap(({ patch, listing }) => [patch, listing])
  const facts = { petId, written, shown: first.was }
  if (new Set(lost.map(({ listing }) => listing)).size === 1)
    return inconclusive('change-lost-once', facts, ...witnesses)
  if (!stranger) return fail('change-lost', { ...facts, times: lost.length }, ...witnesses)
  const { by, ...change } = stranger
  return inconclusive('somebody-else-writes', change, by)
}

/**
 * The failure if what a key writes lasts for a time only: lists no longer show each change that is older than some age, but
 * what was before, and show each that is younger. Other clients would write other quantities, and not so regularly.
 */
const undoneLater = (evidence: Evidence, key: string) => {
  const [held, standing] = [new Map<string, string>(), new Map<string, Standing>()]
  const undone = new Map<string, Standing & { readonly withinMs: number; readonly listing: Exchange }>()
  let stoodMs = 0
  for (const x of rowOf(evidence, key)) {
    const { petId, quantity } = x.intent
    if (mayWrite(x)) {
      const was = held.get(petId)
      standing.delete(petId)
      if (x.key !== key || !isUpdated(x)) continue
      if (was !== undefined && was !== quantity) standing.set(petId, { patch: x, was })
      held.set(petId, quantity)
    }
    for (const [id, shown] of quantitiesOf(x) ?? []) {
      const write = standing.get(id)
      held.set(id, shown)
      if (!write || x.sentAt < write.patch.endedAt) continue
      if (shown === write.patch.intent.quantity) stoodMs = Math.max(stoodMs, x.sentAt - write.patch.endedAt)
      else if (shown !== write.was) return undefined
      else {
        standing.delete(id)
        undone.set(id, { ...write, withinMs: x.endedAt - write.patch.sentAt, listing: x })
      }
    }
  }
  const [first] = [...undone.values()].sort((a, b) => a.withinMs - b.withinMs)
  if (undone.size < undoneThatTell || stoodMs > first.withinMs) return undefined
  const { petId, quantity: written } = first.patch.intent
  const facts = { petId, written, shown: first.was, withinMs: first.withinMs, pets: undone.size }
  return fail('change-undone', facts, first.patch, first.listing)
}

/** How likely it may be that all changes by somebody else fall beside PATCHes of the run, at most. */
const likelyByChance = 0.01

/**
 * The finding if entries change that no PATCH names, always beside an accepted one: between two lists that have one between
 * them, and never between two others. Somebody else's changes fall there by chance, the less likely the more there are.
 */
const changedBeside = (evidence: Evidence, key: string) => {
  const row = rowOf(evidence, key)
  const lists = row.filter((x) => !mayWrite(x))
  const changes: { readonly change: PetChange; readonly witnesses: readonly Exchange[] }[] = []
  let besideMs = 0
  for (const [i, after] of lists.entries()) {
    const before = lists[i - 1]
    if (!before || after.sentAt < before.endedAt) continue
    const patches = evidence.exchanges.filter(
      (x) => x.request.method === 'PATCH' && x.endedAt > before.sentAt && x.sentAt < after.endedAt,
    )
    const [was, is] = [before, after].map((x) => quantitiesOf(x) ?? new Map<string, string>())
    const [statusesWere, statuses] = [before, after].map((x) => statusesOf(x) ?? new Map<string, string>())
    const accepted = patches.filter(isUpdated)
    // A write that went to another entry than the one that it names is INV-6's matter, or INV-7's.
    const astray = accepted.filter(({ intent }) => is.get(intent.petId) !== intent.quantity)
    // A pet that was changed itself may get another status in its own time.
    const isNew = ({ petId }: PetChange) => !row.some((x) => x.intent.petId === petId && x.sentAt < after.endedAt)
    const [change] = [...changedPets(was, is), ...changedPets(statusesWere, statuses).filter(isNew)].filter(
      ({ petId, before, after }) =>
        before !== 'absent' &&
        after !== 'absent' &&
        patches.every(({ intent }) => intent.petId !== petId) &&
        astray.every(({ intent }) => intent.quantity !== after),
    )
    // Beside a refused one it is INV-8's matter.
    if (change && patches.length === 0) return undefined
    if (change && accepted.length === 0) continue
    if (change) changes.push({ change, witnesses: [before, ...accepted, after] })
    if (accepted.length > 0) besideMs += after.endedAt - before.sentAt
  }
  if (changes.length === 0) return undefined
  const [{ change, witnesses }] = changes
  const lastingMs = lists[lists.length - 1].endedAt - lists[0].sentAt
  return (besideMs / lastingMs) ** changes.length < likelyByChance
    ? fail('others-changed-beside', { ...change, times: changes.length }, ...witnesses)
    : inconclusive('others-changed-beside', { ...change, times: changes.length }, ...witnesses)
}

/** The worst of what lists of the run show otherwise than as it was written; undefined if they agree. */
export const writesShownOtherwise = (evidence: Evidence) => {
  const found = [
    tornAtOnce(evidence),
    staleForAnother(evidence),
    ...evidence.run.keys.flatMap(({ name }) =>
      [undoneLater, lostChanges, changedBeside].map((found) => found(evidence, name)),
    ),
  ].flatMap((each) => each ?? [])
  return found.find(({ verdict }) => verdict === 'fail') ?? found[0]
}
