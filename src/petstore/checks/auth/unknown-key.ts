import { everyOperation, operationKinds, operationOf } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus } from '../../../checks/framework/expect-status.js'
import { answersOf } from '../../../evidence/evidence.js'

const needs = { cases: 'requests with an unknown key', least: 1 }

export const unknownKeyCheck = defineCheck({
  id: 'auth.unknown-key',
  promise: 'Each of the four operations with a well-formed but unknown key answers 401.',
  clauses: ['AUTH-2'],
  advice: 'Look at how a key is looked up: one that is not found has to end in 401.',
  reads: ['bad-keys'],
  needs,
  judge: (evidence) =>
    expectStatus(evidence, answersOf(evidence, 'bad-keys', 'unknown-key'), 401, needs, {
      kinds: operationKinds(evidence, 'bad-keys', everyOperation),
      kindOf: operationOf,
    }),
})
