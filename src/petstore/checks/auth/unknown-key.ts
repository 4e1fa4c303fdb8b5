import { everyOperation, operationKinds, operationOf } from '../../../checks/framework/asking-probes.js'
import { statusCheck } from '../shapes.js'

export const unknownKeyCheck = statusCheck({
  id: 'auth.unknown-key',
  promise: 'Each of the four operations with a well-formed but unknown key answers 401.',
  clauses: ['AUTH-2'],
  advice: 'Look at how a key is looked up: one that is not found has to end in 401.',
  asks: ['bad-keys', 'unknown-key'],
  due: 401,
  cases: 'requests with an unknown key',
  kinds: (evidence) => operationKinds(evidence, 'bad-keys', everyOperation),
  kindOf: operationOf,
})
