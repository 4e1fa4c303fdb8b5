import { type OperationId, operations } from '../../../contract/petstore/operations.js'
import type { Pet, Question } from '../../../probes/probe.js'
import { otherQuantity, updateBody } from './pets.js'

/** A well-formed question to each of the four operations; the PATCH would change the pet if it were let through. */
export const everyOperation = (pet: Pet): Pick<Question, 'operation' | 'petId' | 'body' | 'intent'>[] =>
  (Object.keys(operations) as OperationId[]).map((operation) => ({
    operation,
    petId: pet.id,
    intent: { petId: String(pet.id) },
    ...(operation === 'updateInventory' ? { body: updateBody(otherQuantity(pet.quantity)) } : {}),
  }))
