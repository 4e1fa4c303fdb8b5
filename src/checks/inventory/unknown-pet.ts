import { answersOf } from '../../evidence/evidence.js'
import { defineCheck } from '../check.js'
import { expectStatus, failedControl } from '../expect-status.js'

const needs = { cases: 'PATCHes of an unknown pet', least: 1 }

export const unknownPetCheck = defineCheck({
  id: 'inventory.unknown-pet',
  promise: 'A PATCH of a petId that no entry has gets 404.',
  clauses: ['INV-6'],
  reads: ['unknown-pet'],
  needs,
  judge: (evidence) =>
    failedControl(answersOf(evidence, 'unknown-pet', 'control')) ??
    expectStatus(evidence, answersOf(evidence, 'unknown-pet', 'unknown'), 404, needs),
})
