import { defineCheck } from '../../../checks/framework/check.js'
import { breach, notTested } from '../../../checks/framework/finding.js'
import { judgeBodies } from '../../../checks/framework/judge-bodies.js'
import { nameOf, objectOf } from '../../../checks/readings/answers.js'
import { integer } from '../../../contract/petstore/schemas.js'
import { answersOf, type Evidence } from '../../../evidence/evidence.js'
import type { Exchange } from '../../../evidence/exchange.js'
import { isUpdated } from '../../readings/listed-pets.js'

/** The finding where the target refused every quantity at the edges, as it may: it has nothing to keep. */
export const allRefused = (evidence: Evidence) => {
  const patches: readonly Exchange[] = answersOf(evidence, 'quantity-bounds', 'patch')
  return patches.length > 0 && patches.every((x) => x.response?.status === 400)
    ? notTested('all-bounds-refused', {}, ...patches)
    : undefined
}

const needs = { cases: 'quantities at the edges that were accepted', least: 1 }

/** INV-10 leaves the bounds open; what a 200 says about a quantity is INV-3 all the same. */
export const boundsKeptExactly = defineCheck({
  id: 'inventory.bounds-kept-exactly',
  promise: 'A quantity that is accepted is answered digit for digit, whatever its size.',
  clauses: ['INV-3'],
  advice: 'Look at the type that quantities pass through: large integers lose digits in a double.',
  reads: ['quantity-bounds'],
  needs,
  judge(evidence) {
    const accepted = answersOf(evidence, 'quantity-bounds', 'patch').filter(isUpdated)
    const refused = allRefused(evidence)
    if (refused) return refused
    return judgeBodies(evidence, accepted, needs, (x) => {
      const { petId, quantity: sent } = x.intent
      const body = objectOf(x)
      if (!body) return breach('update-is-no-object', { case: nameOf(x) })
      const answered = integer.safeParse(body.quantity)
      if (!answered.success) return 'left-out'
      const shown = String(answered.data)
      return shown === sent ? undefined : breach('accepted-but-not-kept', { petId, sent, shown })
    })
  },
})
