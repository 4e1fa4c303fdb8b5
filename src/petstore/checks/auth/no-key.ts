import { everyOperation, operationKinds, operationOf } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus } from '../../../checks/framework/expect-status.js'
import { answersOf } from '../../../evidence/evidence.js'

const needs = { cases: 'requests without a key', least: 1 }

export const noKeyCheck = defineCheck({
  id: 'auth.no-key',
  promise: 'Each of the four operations without an Authorization header answers 401.',
  clauses: ['AUTH-1'],
  advice: 'Look at which routes stand behind the check of the key: each operation has to.',
  reads: ['no-key'],
  needs,
  judge: (evidence) =>
    expectStatus(evidence, answersOf(evidence, 'no-key', 'without'), 401, needs, {
      kinds: operationKinds(evidence, 'no-key', everyOperation),
      kindOf: operationOf,
    }),
})
