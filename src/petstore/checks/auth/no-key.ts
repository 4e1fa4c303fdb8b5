import { everyOperation, operationKinds, operationOf } from '../../../checks/framework/asking-probes.js'
import { statusCheck } from '../shapes.js'

export const noKeyCheck = statusCheck({
  id: 'auth.no-key',
  promise: 'Each of the four operations without an Authorization header answers 401.',
  clauses: ['AUTH-1'],
  advice: 'Look at which routes stand behind the check of the key: each operation has to.',
  asks: ['no-key', 'without'],
  due: 401,
  cases: 'requests without a key',
  kinds: (evidence) => operationKinds(evidence, 'no-key', everyOperation),
  kindOf: operationOf,
})
