import { fail, inconclusive } from '../../checks/framework/finding.js'
import { changedPets, type PetChange } from '../../contract/petstore/inventory-model.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { isUpdated, quantitiesOf } from '../listed-pets.js'

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
export const undoneLater = (evidence: Evidence, key: string) => {
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
export const changedBeside = (evidence: Evidence, key: string) => {
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
