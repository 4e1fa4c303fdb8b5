import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus, failedControl } from '../../../checks/framework/expect-status.js'
import { exactDoubleLimit } from '../../../contract/petstore/schemas.js'
import { answersOf } from '../../../evidence/evidence.js'
import type { Exchange } from '../../../evidence/exchange.js'
import { absentPetAdvice } from '../../judging/absent-pet-advice.js'

const kinds = {
  'an id within 32 bits': ['unknown-pet'],
  'an id beyond 32 bits': ['unknown-pet'],
  'an id above 2^53': ['unknown-pet'],
}

const kindOf = ({ intent: { petId = '' } }: Exchange): string | undefined => {
  if (!/^\d+$/.test(petId)) return undefined
  if (BigInt(petId) > exactDoubleLimit) return 'an id above 2^53'
  return BigInt(petId) < 2n ** 31n ? 'an id within 32 bits' : 'an id beyond 32 bits'
}

const needs = { cases: 'PATCHes of an unknown pet', least: 1 }

export const unknownPetCheck = defineCheck({
  id: 'inventory.unknown-pet',
  promise: 'A PATCH of a petId that no entry has gets 404.',
  clauses: ['INV-6'],
  advice: absentPetAdvice,
  reads: ['unknown-pet'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'unknown-pet', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'unknown-pet', 'unknown'), 404, needs, { kinds, kindOf }),
})
