import { notFound } from '@hapi/boom'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import type { Behaviour, Call } from '../behaviour/behaviour.js'
import { type Answer, jsonAnswer } from '../http/answer.js'

/** Since when GET /pets/{petId} is deprecated (RFC 9745), and until when it will answer (RFC 8594). */
const deprecation = { Deprecation: '@1767225600', Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' } as const

/** What each operation answers to a valid key within its limits. */
export const operationAnswers = (self: () => Behaviour): Readonly<Record<OperationId, (call: Call) => Answer>> => ({
  listInventory: listing(self),
  updateInventory({ petId = '', body, request }) {
    const { petIdOf, quantityIn, inventory } = self()
    const id = petIdOf(petId)
    const quantity = quantityIn(body, request.headers['content-type'])
    const updated = inventory.setQuantity(id, quantity)
    if (!updated) throw notFound('no entry has this petId')
    return jsonAnswer(200, updated)
  },
  getPet({ petId = '' }) {
    const item = self().inventory.find(self().petIdOf(petId))
    if (!item) throw notFound('no pet has this id')
    return jsonAnswer(200, { id: item.petId, status: item.status }, deprecation)
  },
  listOrders: () => jsonAnswer(200, []),
})

/** The list. Its JSON is written once, and again after a change. */
const listing = (self: () => Behaviour) => {
  let written: readonly InventoryItem[] | undefined
  let answer: Answer = jsonAnswer(200, [])
  return (): Answer => {
    const items = self().inventory.items()
    if (items !== written) {
      written = items
      answer = jsonAnswer(200, items)
    }
    return answer
  }
}
