import { readFileSync } from 'node:fs'
import { packageFile } from '../../kit/package-file.js'

export type OperationId = 'listInventory' | 'updateInventory' | 'getPet' | 'listOrders'

export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'PATCH'
  /** Below the base address, which ends with /v1. */
  readonly path: string
  readonly summary: string
  /** Statuses that the interface names for it. Of the last two operations it names only what holds for all. */
  readonly statuses: readonly number[]
  readonly stability?: 'experimental' | 'beta'
  readonly deprecated?: boolean
}

/** The operations of the interface (§4). The shapes of the last two are not shown. */
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

/** The path of an operation with its petId, if it has one, filled in. */
export const pathOf = (id: OperationId, petId: bigint | string = 1n): string =>
  operations[id].path.replace('{petId}', () => String(petId))

/** Where the reference server shows the interface: beside the base address, so that it is no operation and needs no key. */
export const openApiPath = '/openapi.json'

/** The interface as an OpenAPI 3.1 document, as it is published: made from the same data that the checks judge by. */
export const openApiText = (): string => readFileSync(packageFile('schema', 'petstore.openapi.json'), 'utf8')
