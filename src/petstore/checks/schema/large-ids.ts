import { eachOf } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { fail, notTested } from '../../../checks/framework/finding.js'
import { concluded, tellingCases } from '../../../checks/framework/needs.js'
import { exactDoubleLimit } from '../../../contract/petstore/schemas.js'
import type { Answered } from '../../../evidence/exchange.js'
import { entriesIn, idTwice, isListing, isUpdated, shownEntries } from '../../readings/listed-pets.js'
import { readPetId } from '../../readings/read-pet-id.js'

/** Whether a double may have been made of the id: 2^53 is what becomes of 2^53 + 1. */
const isLargeId = (id: bigint): boolean => id >= exactDoubleLimit || id <= -exactDoubleLimit

/** Whether a double can't hold the id: shown so, it was not rounded. */
const isNoDouble = (id: bigint): boolean => BigInt(Number(id)) !== id

const needs = { cases: 'ids above 2^53 that a double would round', least: 1 }

export const largeIds = defineCheck({
  id: 'schema.large-ids',
  promise: 'A petId above 2^53 keeps every digit: no two entries show the same one, and an update shows the one asked.',
  clauses: ['SCHEMA-1'],
  advice: 'Look at how ids are read and written: above 2^53 they lose digits in a double.',
  reads: 'everything',
  alone: eachOf('read-write-read', 'neighbour-ids'),
  needs,
  judge(evidence) {
    const { exchanges } = evidence
    for (const x of exchanges.filter(isListing)) {
      const twice = idTwice(x, isLargeId)
      if (twice !== undefined) return fail('large-id-twice', { petId: String(twice) }, x)
    }
    const telling = tellingCases()
    for (const { x, entry } of shownEntries(exchanges)) {
      const shown = readPetId(entry)
      if (shown === undefined) continue
      if (isNoDouble(shown)) telling.add(x)
      if (x.operation !== 'updateInventory') continue
      const asked = BigInt(/^-?\d+$/.test(x.intent.petId ?? '') ? x.intent.petId : 0)
      // Another entry altogether is INV-3's matter alone; here digits that a double would lose.
      if (isLargeId(asked) && shown !== asked && Number(shown) === Number(asked)) {
        return fail('large-id-changed', { asked: String(asked), shown: String(shown) }, x)
      }
    }
    const showing = exchanges.filter((x): x is Answered => isListing(x) || isUpdated(x))
    const leftOut = showing.filter((x) => entriesIn(x) === undefined).length
    if (telling.count === 0 && leftOut < showing.length) return notTested('no-id-to-round', {})
    return concluded(evidence, needs, telling, { leftOut })
  },
  sentences: {
    'large-id-twice': ({ petId }) => `two entries of one list show the petId ${petId}: digits above 2^53 are lost`,
    'no-id-to-round': () => 'no pet has an id above 2^53 that a double would round',
    'large-id-changed': (f) =>
      `a PATCH of ${f.asked} was answered with the petId ${f.shown}: digits above 2^53 are lost`,
  },
})
