import { defineCheck } from '../../../checks/framework/check.js'
import { fail } from '../../../checks/framework/finding.js'
import { concluded, type Kinds, tellingCases } from '../../../checks/framework/needs.js'
import type { Evidence } from '../../../evidence/evidence.js'
import { isAnswered } from '../../../evidence/exchange.js'
import { elementsOf, idTwice, isListing } from '../../readings/listed-pets.js'

const needs = { cases: 'lists in which each id stands once', least: 1 }

/** Whether each id addresses its own entry only those tell that a double could confuse. */
const kinds: Kinds = { 'a PATCH of an id above 2^53': ['neighbour-ids'] }

const isOfLargeId = (evidence: Evidence): boolean =>
  evidence.exchanges.some((x) => x.probe === 'neighbour-ids' && x.operation === 'updateInventory' && isAnswered(x))

export const idsListedOnce = defineCheck({
  id: 'inventory.ids-listed-once',
  promise: 'No list shows one petId twice.',
  clauses: ['INV-7'],
  advice: 'Look at how ids are read and stored: above 2^53 two of them become one in a double.',
  // Whatever list is shown is looked at; these are asked for where only this clause is.
  reads: ['hello', 'neighbour-ids'],
  needs,
  judge(evidence) {
    const listings = evidence.exchanges.filter(isListing)
    const told = isOfLargeId(evidence) ? 'a PATCH of an id above 2^53' : undefined
    const telling = tellingCases()
    for (const x of listings) {
      const twice = idTwice(x)
      if (twice !== undefined) return fail('id-twice', { petId: String(twice) }, x)
      if ((elementsOf(x)?.length ?? 0) > 0) telling.add(x, told)
    }
    const leftOut = listings.filter((x) => elementsOf(x) === undefined).length
    return concluded(evidence, needs, telling, { kinds, leftOut })
  },
})
