import { answersOf } from '../../evidence/evidence.js'
import type { Answered } from '../../evidence/exchange.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'
import { elementsOf, isListing, isUpdated, quantitiesOf } from '../listed-pets.js'

/** What a listing shows of a pet; undefined where it can't be read, or where an entry that can't may be the pet's. */
const listedAs = (petId: string, listing: Answered): string | undefined => {
  const quantities = quantitiesOf(listing)
  const isReadThroughout = quantities?.size === elementsOf(listing)?.length
  return quantities?.get(petId) ?? (quantities && isReadThroughout ? 'absent' : undefined)
}

export const boundsListedExactly = defineCheck({
  id: 'inventory.bounds-listed-exactly',
  promise: 'A quantity that was accepted is listed digit for digit, whatever its size.',
  clauses: ['INV-2'],
  reads: ['quantity-bounds'],
  judge(evidence) {
    const accepted = answersOf(evidence, 'quantity-bounds', 'patch').filter(isUpdated)
    if (accepted.length === 0) return notTested('all-bounds-refused', {})
    for (const patch of accepted) {
      const { petId, quantity: sent } = patch.intent
      const listing = answersOf(evidence, 'quantity-bounds', 'read-back')
        .filter(isListing)
        .find((x) => x.intent.quantity === sent)
      const listed = listing && listedAs(petId, listing)
      if (!listing || listed === undefined) return inconclusive('list-unreadable', { step: 'read-back' }, patch)
      if (listed !== sent) return fail('accepted-but-not-kept', { petId, sent, shown: listed }, patch, listing)
    }
    return pass('held', { examined: accepted.length }, ...accepted)
  },
})
