import { exactDoubleLimit } from '../../../contract/petstore/schemas.js'
import type { Exchange } from '../../../evidence/exchange.js'
import { absentPetAdvice } from '../../judging/absent-pet-advice.js'
import { statusCheck } from '../shapes.js'

const idKinds = {
  'an id within 32 bits': ['unknown-pet'],
  'an id beyond 32 bits': ['unknown-pet'],
  'an id above 2^53': ['unknown-pet'],
}

const idKindOf = ({ intent: { petId = '' } }: Exchange): string | undefined => {
  if (!/^\d+$/.test(petId)) return undefined
  if (BigInt(petId) > exactDoubleLimit) return 'an id above 2^53'
  return BigInt(petId) < 2n ** 31n ? 'an id within 32 bits' : 'an id beyond 32 bits'
}

export const unknownPetCheck = statusCheck({
  id: 'inventory.unknown-pet',
  promise: 'A PATCH of a petId that no entry has gets 404.',
  clauses: ['INV-6'],
  advice: absentPetAdvice,
  asks: ['unknown-pet', 'unknown'],
  due: 404,
  cases: 'PATCHes of an unknown pet',
  kinds: idKinds,
  kindOf: idKindOf,
  controlled: true,
})
