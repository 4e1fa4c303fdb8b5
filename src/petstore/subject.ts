import { operations, pathOf } from '../contract/petstore/operations.js'
import { contractOf } from '../contract/petstore/petstore.js'
import type { HeaderLine } from '../evidence/exchange.js'
import { inventorySpellings } from '../probes/moves/refused-key.js'
import type { KeyFacts, Question } from '../probes/probe.js'
import type { Asking, Subject } from '../probes/subject.js'

const contentTypeOf = ({ body, contentType }: Question): HeaderLine[] => {
  if (contentType === null || (body === undefined && contentType === undefined)) return []
  return [['Content-Type', contentType ?? 'application/json']]
}

const asked = ({ name }: KeyFacts, question: Question): Asking => {
  const operation = question.operation ? operations[question.operation] : undefined
  const { as = 'bearer' } = question
  return {
    operation: operation?.id ?? null,
    method: question.method ?? operation?.method ?? 'GET',
    path: question.path ?? (question.operation ? pathOf(question.operation, question.petId) : '/'),
    credential: as === 'none' ? { form: 'none' } : { form: as, key: name },
    headers: [...contentTypeOf(question), ...(question.headers ?? [])],
    body: question.body,
  }
}

/** The minute of the Petstore, which is tested with the day beside it, and whose probes may ask for anything. */
export const petstoreSubject = (keys: readonly KeyFacts[]): Subject => {
  const contract = contractOf({ keys })
  const [minute] = contract.quotas
  return {
    contract: { ...contract, quotas: [minute] },
    quota: minute,
    keys,
    hasInventory: true,
    ordinaryOf: () => ({ operation: 'listInventory' }),
    spellingsOf: () => inventorySpellings,
    asked,
  }
}
