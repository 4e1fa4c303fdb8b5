import { readFileSync } from 'node:fs'
import { packageFile } from '../../kit/package-file.js'

export type OperationId = 'listInventory' | 'updateInventory' | 'getPet' | 'listOrders'

export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'PATCH'
  /** Below the base address, which ends with /v1. */
  readonly path: string
  readonly summary: string
  /** The statuses that the interface lists for it. For the last two operations it lists only the common ones. */
  readonly statuses: readonly number[]
  readonly stability?: 'experimental' | 'beta'
  readonly deprecated?: boolean
}

/** The operations of the interface (§4), which does not give the schemas of the last two. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  listInventory: {
    id: 'listInventory',
    method: 'GET',
    path: '/inventory',
    summary: 'The current stock levels of all pets',
    statuses: [200, 401, 429],
  },
  updateInventory: {
    id: 'updateInventory',
    method: 'PATCH',
    path: '/inventory/{petId}',
    summary: 'Sets the stock quantity of one pet',
    statuses: [200, 400, 401, 404, 429],
    stability: 'experimental',
  },
  getPet: {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    summary: 'One pet; its shape is not shown',
    statuses: [401, 429],
    deprecated: true,
  },
  listOrders: {
    id: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    summary: 'The orders; their shape is not shown',
    statuses: [401, 429],
  },
}

/** The path of an operation, with the petId filled in if it has one. */
export const pathOf = (id: OperationId, petId: bigint | string = 1n): string =>
  operations[id].path.replace('{petId}', () => String(petId))

/** Where the reference server publishes the interface: outside the base address, so it is no operation and needs no key. */
export const openApiPath = '/openapi.json'

/** The published OpenAPI 3.1 document of the interface, made from the same data that the checks use. */
export const openApiText = (): string => readFileSync(packageFile('schema', 'petstore.openapi.json'), 'utf8')
