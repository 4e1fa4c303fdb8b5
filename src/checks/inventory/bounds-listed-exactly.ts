import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, notTested, pass } from '../finding.js'
import { isUpdated, quantitiesOf } from '../listed-pets.js'

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
      const listing = answersOf(evidence, 'quantity-bounds', 'read-back').find((x) => x.intent.quantity === sent)
      const listed = listing && quantitiesOf(listing)?.get(petId)
      if (!listing || listed === undefined) return inconclusive('list-unreadable', { step: 'read-back' }, patch)
      if (listed !== sent) return fail('accepted-but-not-kept', { petId, sent, shown: listed }, patch, listing)
    }
    return pass('held', { examined: accepted.length }, ...accepted)
  },
})
