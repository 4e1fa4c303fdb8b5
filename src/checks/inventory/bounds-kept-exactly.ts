import { integer } from '../../contract/schemas.js'
import { answersOf } from '../../evidence/evidence.js'
import { objectOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { fail, notTested, pass } from '../finding.js'
import { isUpdated } from '../listed-pets.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'accepted-but-not-kept': { petId: string; sent: string; shown: string }
    'all-bounds-refused': Record<never, never>
  }
}

/** INV-10 leaves the bounds open; what a 200 says about a quantity is INV-3 all the same. */
export const boundsKeptExactly = defineCheck({
  id: 'inventory.bounds-kept-exactly',
  promise: 'A quantity that is accepted is answered digit for digit, whatever its size.',
  clauses: ['INV-3'],
  reads: ['quantity-bounds'],
  judge(evidence) {
    const accepted = answersOf(evidence, 'quantity-bounds', 'patch').filter(isUpdated)
    if (accepted.length === 0) return notTested('all-bounds-refused', {})
    for (const patch of accepted) {
      const { petId, quantity: sent } = patch.intent
      const answered = integer.safeParse(objectOf(patch)?.quantity)
      if (answered.success && String(answered.data) !== sent) {
        return fail('accepted-but-not-kept', { petId, sent, shown: String(answered.data) }, patch)
      }
    }
    return pass('held', { examined: accepted.length }, ...accepted)
  },
})
