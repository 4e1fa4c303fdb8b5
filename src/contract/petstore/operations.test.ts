import { describe, expect, it } from 'vitest'
import { type OperationId, operations, pathOf } from './operations.js'

describe('the operations', () => {
  it.each<[OperationId, string]>([
    ['listInventory', 'GET /inventory'],
    ['updateInventory', 'PATCH /inventory/{petId}'],
    ['getPet', 'GET /pets/{petId}'],
    ['listOrders', 'GET /store/orders'],
  ])('name %s as the interface does: %s', (id, line) => {
    expect(`${operations[id].method} ${operations[id].path}`).toBe(line)
    expect(operations[id].id).toBe(id)
  })

  it('may each answer 401 and 429 (§7)', () => {
    for (const { statuses } of Object.values(operations)) expect(statuses).toEqual(expect.arrayContaining([401, 429]))
  })

  it.each<[OperationId, bigint | string | undefined, string]>([
    ['listInventory', 5n, '/inventory'],
    ['updateInventory', undefined, '/inventory/1'],
    ['updateInventory', 2n ** 63n - 1n, '/inventory/9223372036854775807'],
    ['updateInventory', '1.5', '/inventory/1.5'],
    ['getPet', "$&$'", "/pets/$&$'"],
  ])('give %s with petId %s its path', (id, petId, path) => {
    expect(pathOf(id, petId)).toBe(path)
  })
})
