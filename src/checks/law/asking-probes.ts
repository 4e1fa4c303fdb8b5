import { type OperationId, operations } from '../../contract/petstore/operations.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { loadProfiles } from '../readings/load-profiles.js'
import type { Kinds } from './needs.js'

/** The probes that spend a key until it is refused. */
export const spendingProbes: readonly string[] = [
  'exhaustion',
  'while-refused',
  'cost',
  'daily',
  'ban',
  ...loadProfiles,
]

/** The probes that bring about each status of an operation; a 200 comes with whatever is asked. */
const askingProbes = {
  200: [],
  400: ['invalid-bodies'],
  401: ['no-key', 'bad-keys', 'key-before-body'],
  404: ['unknown-pet'],
  429: spendingProbes,
} as const satisfies Readonly<Record<number, readonly string[]>>

/** The kinds of a promise that speaks of answers with these statuses. */
export const statusKinds = (...statuses: readonly (keyof typeof askingProbes)[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), askingProbes[status]]))

/** The statuses whose answers show the quota: those of the interface's operations, or served and refused ones. */
export const ratedStatuses = ({ view }: Evidence): Kinds =>
  view ? statusKinds(200, 429) : statusKinds(200, 400, 401, 404, 429)

/** An operation as the interface writes it: `PATCH /inventory/{petId}`. */
const written = (id: OperationId): string => `${operations[id].method} ${operations[id].path}`

/** The kinds of a promise that speaks of these operations, each asked for by `probe`. A run that reads only never PATCHes. */
export const operationKinds = ({ run }: Evidence, probe: string, ids: readonly OperationId[]): Kinds =>
  Object.fromEntries(ids.map((id) => [written(id), run.readOnly && id === 'updateInventory' ? 'withheld' : [probe]]))

/** The four operations of the interface. */
export const everyOperation = Object.keys(operations) as readonly OperationId[]

/** The operation that an exchange asks for, as a kind. */
export const operationOf = ({ operation }: Exchange): string =>
  operation !== null && Object.hasOwn(operations, operation) ? written(operation as OperationId) : 'no operation'

/** The probes that bring about an update that has to be accepted. */
export const updatingProbes: readonly string[] = [
  'read-write-read',
  'neighbour-ids',
  'invalid-bodies',
  'unknown-pet',
  'quantity-bounds',
  'model-walk',
]
