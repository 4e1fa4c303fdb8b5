import { nameOf, objectOf } from '../../checks/framework/answers.js'
import { defineCheck } from '../../checks/framework/check.js'
import { breach, fail, inconclusive, notTested, observed } from '../../checks/framework/finding.js'
import { judgeBodies, refusedAgain } from '../../checks/framework/judge-cases.js'
import { nothingTold } from '../../checks/framework/needs.js'
import { shownEntry } from '../../contract/petstore/inventory-model.js'
import { answersOf, type Evidence } from '../../evidence/evidence.js'
import type { Answered, Exchange } from '../../evidence/exchange.js'
import { listInWords } from '../../kit/words.js'
import { elementsOf, holesIn, isListing, isUpdated, quantitiesOf } from '../listed-pets.js'

/** Steps in which a well-formed PATCH names a pet that exists. */
const validSteps = new Set(['patch', 'patch-back', 'control', 'valid'])
/** Steps in which such a PATCH is sent at the same time as others, or may be refused: an accepted one may show a breach. */
const validBeside = new Set(['patch', 'at-once', 'unchanged', 'last-places', 'write-refused'])
/** What is at the edges has a check of its own. */
const atBounds = 'quantity-bounds'
const updating = ['read-write-read', 'neighbour-ids', 'invalid-bodies', 'unknown-pet', 'model-walk'] as const

export const updateAnswer = defineCheck({
  id: 'inventory.update-answer',
  promise: "A valid PATCH answers 200 with the updated entry: the path's petId and the quantity that was sent.",
  clauses: ['INV-3'],
  advice: 'Check what an update answers: 200, with the pet of the path and the quantity as stored.',
  reads: updating,
  needs: { cases: 'valid PATCHes whose answer could be read' },
  judge(evidence, telling) {
    const due = [...updating, 'header-row' as const]
      .flatMap((probe) => answersOf(evidence, probe))
      .filter((x) => x.operation === 'updateInventory' && validSteps.has(x.step))
    if (due.some((x) => x.response?.status === 429)) return refusedAgain('a valid PATCH')
    const beside = evidence.exchanges.filter(
      (x) => isUpdated(x) && validBeside.has(x.step) && x.probe !== atBounds && !due.includes(x),
    )
    return judgeBodies(telling, [...due, ...beside], (x) => {
      // Bounds may forbid even a quantity that the entry holds: below one, or of eight digits (INV-10).
      if (x.response.status === 400 && /^-|^0$|\d{8}/.test(x.intent.quantity)) return 'left-out'
      if (x.response.status !== 200) return breach('update-not-accepted', { got: x.response.status })
      const body = objectOf(x)
      if (!body) return breach('update-is-no-object', { case: nameOf(x) })
      const { petId: shownId, quantity: shown } = shownEntry(body)
      const { petId: asked, quantity: sent } = x.intent
      if (shownId === undefined && shown === undefined) return breach('update-is-no-entry', { case: nameOf(x) })
      if (shownId !== undefined && shownId !== asked)
        return breach('update-shows-another-pet', { asked, shown: shownId })
      if (shown !== undefined && shown !== sent) return breach('update-shows-another-quantity', { sent, shown })
      if (beside.includes(x)) return 'skip'
      // An unreadable field is the schema's matter, and shows nothing about what was sent.
      return shownId === undefined || shown === undefined ? 'left-out' : undefined
    })
  },
  sentences: {
    'update-not-accepted': ({ got }) => `a valid PATCH of a pet that exists was answered ${got}`,
    'update-is-no-entry': (f) => `${f.case} was answered 200 with an object that shows neither petId nor quantity`,
    'update-shows-another-pet': (f) => `a PATCH of pet ${f.asked} was answered with pet ${f.shown}`,
    'update-shows-another-quantity': (f) => `a PATCH to ${f.sent} was answered with the quantity ${f.shown}`,
  },
})

export const quantityBoundsCheck = defineCheck({
  id: 'inventory.quantity-bounds',
  promise: 'The report says how the target treats quantities at the edges of integer types.',
  clauses: ['INV-10'],
  reads: ['quantity-bounds'],
  judge(evidence) {
    const patches = answersOf(evidence, 'quantity-bounds', 'patch')
    if (patches.length === 0) return nothingTold('PATCHes')
    const sent = (x: (typeof patches)[number]) => x.intent.quantity
    const accepted = patches.filter(isUpdated).map(sent)
    const refused = patches.filter((x) => !isUpdated(x)).map((x) => `${sent(x)} (${x.response?.status ?? 'no answer'})`)
    const lossy = answersOf(evidence, 'quantity-bounds', 'read-back').flatMap((x) => {
      const shown = quantitiesOf(x)?.get(x.intent.petId)
      return shown === undefined || shown === sent(x) ? [] : [`${sent(x)} came back as ${shown}`]
    })
    return observed('quantity-bounds', { accepted, refused, lossy }, ...patches)
  },
  sentences: {
    'quantity-bounds': (f) =>
      `accepted: ${listInWords(f.accepted)}; refused: ${listInWords(f.refused)}${f.lossy.length > 0 ? `; not kept exactly: ${listInWords(f.lossy)}` : ''}`,
  },
})

/** The finding if the target refused every quantity at the edges, as it may: then it has nothing to keep. */
const allRefused = (evidence: Evidence) => {
  const patches: readonly Exchange[] = answersOf(evidence, 'quantity-bounds', 'patch')
  return patches.length > 0 && patches.every((x) => x.response?.status === 400)
    ? notTested('all-bounds-refused', {}, ...patches)
    : undefined
}

/** INV-10 leaves the bounds open; INV-3 still says what a 200 has to show. */
export const boundsKeptExactly = defineCheck({
  id: 'inventory.bounds-kept-exactly',
  promise: 'The answer to an accepted quantity shows it digit for digit, whatever its size.',
  clauses: ['INV-3'],
  advice: 'Check the type that quantities pass through: large integers lose digits in a double.',
  reads: ['quantity-bounds'],
  needs: { cases: 'accepted quantities at the edges of the range' },
  judge(evidence, telling) {
    const accepted = answersOf(evidence, 'quantity-bounds', 'patch').filter(isUpdated)
    const refused = allRefused(evidence)
    if (refused) return refused
    return judgeBodies(telling, accepted, (x) => {
      const { petId, quantity: sent } = x.intent
      const body = objectOf(x)
      if (!body) return breach('update-is-no-object', { case: nameOf(x) })
      const { quantity: shown } = shownEntry(body)
      if (shown === undefined) return 'left-out'
      return shown === sent ? undefined : breach('accepted-but-not-kept', { petId, sent, shown })
    })
  },
})

/** What a listing shows of a pet; undefined if it can't be read, or if an unreadable entry may be the pet's. */
const listedAs = (petId: string, listing: Answered): string | undefined => {
  const quantities = quantitiesOf(listing)
  const isReadThroughout = quantities?.size === elementsOf(listing)?.length
  return quantities?.get(petId) ?? (quantities && isReadThroughout ? 'absent' : undefined)
}

export const boundsListedExactly = defineCheck({
  id: 'inventory.bounds-listed-exactly',
  promise: 'The list shows an accepted quantity digit for digit, whatever its size.',
  clauses: ['INV-2'],
  advice: 'Check how quantities are stored and listed: large integers lose digits in a double.',
  reads: ['quantity-bounds'],
  needs: { cases: 'accepted quantities at the edges of the range, read back' },
  judge(evidence, telling) {
    const accepted = answersOf(evidence, 'quantity-bounds', 'patch').filter(isUpdated)
    const refused = allRefused(evidence)
    if (refused) return refused
    for (const patch of accepted) {
      const { petId, quantity: sent } = patch.intent
      const listing = answersOf(evidence, 'quantity-bounds', 'read-back')
        .filter(isListing)
        .find((x) => x.intent.quantity === sent)
      const listed = listing && listedAs(petId, listing)
      if (!listing || listed === undefined) return inconclusive('list-unreadable', { step: 'read-back' }, patch)
      // A list that leaves entries out breaks INV-1, and says nothing about what is kept.
      if (listed === 'absent' && holesIn(evidence).length > 0) continue
      if (listed !== sent) return fail('accepted-but-not-kept', { petId, sent, shown: listed }, patch, listing)
      telling.add(patch)
    }
    return telling.conclude()
  },
})
