import { defineCheck } from '../../../checks/framework/check.js'
import { fail, inconclusive } from '../../../checks/framework/finding.js'
import { concluded, tellingCases } from '../../../checks/framework/needs.js'
import { answersOf } from '../../../evidence/evidence.js'
import type { Answered } from '../../../evidence/exchange.js'
import { elementsOf, isListing, isUpdated, quantitiesOf } from '../../readings/listed-pets.js'
import { allRefused } from './bounds-kept-exactly.js'

/** What a listing shows of a pet; undefined where it can't be read, or where an entry that can't may be the pet's. */
const listedAs = (petId: string, listing: Answered): string | undefined => {
  const quantities = quantitiesOf(listing)
  const isReadThroughout = quantities?.size === elementsOf(listing)?.length
  return quantities?.get(petId) ?? (quantities && isReadThroughout ? 'absent' : undefined)
}

const needs = { cases: 'quantities at the edges that were accepted and read back', least: 1 }

export const boundsListedExactly = defineCheck({
  id: 'inventory.bounds-listed-exactly',
  promise: 'A quantity that was accepted is listed digit for digit, whatever its size.',
  clauses: ['INV-2'],
  advice: 'Look at how quantities are stored and listed: large integers lose digits in a double.',
  reads: ['quantity-bounds'],
  needs,
  judge(evidence) {
    const accepted = answersOf(evidence, 'quantity-bounds', 'patch').filter(isUpdated)
    const refused = allRefused(evidence)
    if (refused) return refused
    const telling = tellingCases()
    for (const patch of accepted) {
      const { petId, quantity: sent } = patch.intent
      const listing = answersOf(evidence, 'quantity-bounds', 'read-back')
        .filter(isListing)
        .find((x) => x.intent.quantity === sent)
      const listed = listing && listedAs(petId, listing)
      if (!listing || listed === undefined) return inconclusive('list-unreadable', { step: 'read-back' }, patch)
      if (listed !== sent) return fail('accepted-but-not-kept', { petId, sent, shown: listed }, patch, listing)
      telling.add(patch)
    }
    return concluded(evidence, needs, telling)
  },
})
