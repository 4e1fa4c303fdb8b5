import { exactDoubleLimit } from '../../contract/schemas.js'
import type { Answered } from '../../evidence/exchange.js'
import { defineCheck } from '../check.js'
import { fail, notTested, pass } from '../finding.js'
import { elementsOf, isListing, shownEntries } from '../listed-pets.js'
import { readPetId } from './read-pet-id.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'large-id-twice': { petId: string }
    'large-id-changed': { asked: string; shown: string }
    'no-large-ids': Record<never, never>
  }
}

const isLarge = (id: bigint): boolean => id > exactDoubleLimit || id < -exactDoubleLimit

/** An id above 2^53 that two entries of a list show; undefined where each has its own. */
export const largeIdTwice = (listing: Answered): bigint | undefined => {
  const seen = new Set<bigint>()
  const ids = (elementsOf(listing) ?? []).flatMap((entry) => readPetId(entry) ?? [])
  return ids.find((id) => isLarge(id) && (seen.has(id) || !seen.add(id)))
}

export const largeIds = defineCheck({
  id: 'schema.large-ids',
  promise: 'A petId above 2^53 keeps every digit: no two entries show the same one, and an update shows the one asked.',
  clauses: ['SCHEMA-1'],
  reads: 'everything',
  judge({ exchanges }) {
    for (const x of exchanges.filter(isListing)) {
      const twice = largeIdTwice(x)
      if (twice !== undefined) return fail('large-id-twice', { petId: String(twice) }, x)
    }
    for (const { x, entry } of shownEntries(exchanges)) {
      if (x.operation !== 'updateInventory') continue
      const asked = BigInt(/^-?\d+$/.test(x.intent.petId ?? '') ? x.intent.petId : 0)
      const shown = readPetId(entry)
      if (shown === undefined || !isLarge(asked) || shown === asked) continue
      // Another entry altogether is INV-3's matter; here only digits that a double would lose.
      if (Number(shown) === Number(asked)) {
        return fail('large-id-changed', { asked: String(asked), shown: String(shown) }, x)
      }
    }
    const large = shownEntries(exchanges).filter(({ entry }) => isLarge(readPetId(entry) ?? 0n))
    if (large.length === 0) return notTested('no-large-ids', {})
    return pass('held', { examined: large.length }, large[0].x)
  },
})
