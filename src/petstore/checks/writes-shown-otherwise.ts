import { fail, inconclusive } from '../../checks/framework/finding.js'
import { changedPets, type PetChange } from '../../contract/petstore/inventory-model.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import {
  areAllAccepted,
  isListing,
  isUpdated,
  quantitiesOf,
  type WrittenBetween,
  writtenAtOnce,
} from '../listed-pets.js'

/** An accepted quantity that the list does not show: the pet is as before, and others were written simultaneously. */
interface LostWrite {
  readonly petId: string
  readonly written: string
  readonly shown: string
  readonly witnesses: readonly [Exchange, Exchange, Exchange]
}

const lostIn = ({ before, patches, after }: WrittenBetween): readonly LostWrite[] => {
  const [was, is] = [quantitiesOf(before), quantitiesOf(after)]
  return patches.flatMap((patch): LostWrite[] => {
    const { petId, quantity: written } = patch.intent
    const shown = is?.get(petId)
    return shown === undefined || shown === written || shown !== was?.get(petId)
      ? []
      : [{ petId, written, shown, witnesses: [before, patch, after] }]
  })
}

/** No simultaneous write may be lost. A single time, somebody else may have put a pet back just then. */
const lostAtOnce = (evidence: Evidence) => {
  const times = writtenAtOnce(evidence).filter(areAllAccepted)
  const lost = times.map(lostIn).filter((each) => each.length > 0)
  const [first] = lost.flat()
  if (!first) return undefined
  const { petId, written, shown, witnesses } = first
  const facts = { petId, written, shown, atOnce: times[0].patches.length }
  return lost.length > 1
    ? fail('change-lost', { ...facts, times: lost.length }, ...witnesses)
    : inconclusive('change-lost-once', facts, ...witnesses)
}

/** An entry that a list beside PATCHes leaves out, or shows neither as before nor as it was set. */
const tornIn = ({ before, patches, beside }: WrittenBetween) => {
  const [was, shown] = [before, beside].map((x) => x && quantitiesOf(x))
  if (!was || !shown || !beside) return []
  const written = new Map(patches.map(({ intent }) => [intent.petId, intent.quantity]))
  return [...was].flatMap(([petId, quantity]) => {
    const is = shown.get(petId) ?? 'absent'
    const witnesses = [before, ...patches, beside] as const
    return is === quantity || is === written.get(petId) ? [] : [{ petId, was: quantity, shown: is, witnesses }]
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
  const restored = row.findIndex((x, i) => i > at && x.intent.petId === petId)
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
    const accepted = patches.filter(isUpdated)
    // A write that went to another entry than the one that it names is INV-6's matter, or INV-7's.
    const astray = accepted.filter(({ intent }) => is.get(intent.petId) !== intent.quantity)
    const [change] = changedPets(was, is).filter(
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
    lostAtOnce(evidence),
    tornAtOnce(evidence),
    staleForAnother(evidence),
    ...evidence.run.keys.flatMap(({ name }) => [undoneLater(evidence, name), changedBeside(evidence, name)]),
  ].flatMap((each) => each ?? [])
  return found.find(({ verdict }) => verdict === 'fail') ?? found[0]
}
