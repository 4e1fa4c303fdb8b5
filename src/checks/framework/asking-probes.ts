import { type OperationId, operations } from '../../contract/petstore/operations.js'
import type { ProbeId } from '../../contract/probe-catalogue.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { Exchange } from '../../evidence/exchange.js'
import { loadProfiles } from '../readings/load-profiles.js'
import type { Kinds } from './needs.js'

/** The probes that spend a key until it is refused. */
export const spendingProbes: readonly ProbeId[] = [
  'exhaustion',
  'while-refused',
  'cost',
  'daily',
  'ban',
  ...loadProfiles,
]

/** All but the one that asks what answers cost: it does not tell limiters apart, and of a bucket it says nothing. */
export const spendingWhole: readonly ProbeId[] = spendingProbes.filter((probe) => probe !== 'cost')

/** The probes that bring about each status of an operation; a 200 comes with whatever is asked. */
const askingProbes = {
  200: [],
  400: ['invalid-bodies'],
  401: ['no-key', 'bad-keys', 'key-before-body'],
  404: ['unknown-pet'],
  429: spendingProbes,
} as const satisfies Readonly<Record<number, readonly ProbeId[]>>

/** The kinds of a promise that speaks of answers with these statuses. */
export const statusKinds = (...statuses: readonly (keyof typeof askingProbes)[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), askingProbes[status]]))

/** The spending probes in the order of what they cost, so that a check alone takes the gentlest that there is. */
const gentlestFirst: readonly ProbeId[] = ['exhaustion', 'while-refused', 'burst', ...spendingProbes]

/** For a check alone: what brings about answers with these statuses, for each the first that is played. */
export const bringing = (...statuses: readonly (keyof typeof askingProbes)[]): (readonly ProbeId[])[] =>
  statuses.map((status) => (status === 429 ? gentlestFirst : askingProbes[status]))

/** For a check alone: all of these probes, as far as they are played. */
export const eachOf = (...probes: readonly ProbeId[]): (readonly ProbeId[])[] => probes.map((probe) => [probe])

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
export const updatingProbes: readonly ProbeId[] = [
  'read-write-read',
  'neighbour-ids',
  'invalid-bodies',
  'unknown-pet',
  'quantity-bounds',
  'model-walk',
]

/** The probes that send requests one by one, valid and not: any of them may meet a target's weak spot. */
export const inputProbes: readonly ProbeId[] = [
  ...updatingProbes,
  'header-row',
  'no-key',
  'bad-keys',
  'key-before-body',
  'scheme-case',
  'key-elsewhere',
  'loose-requests',
  'other-operations',
  'unknown-path',
  'hard-input',
]
