import type { ApiContract, ContractRequest } from './api-contract.js'
import { petstore } from './petstore/petstore.js'

/** A request as loads send it: method, path, and what it carries besides its credential. */
export type AskedRequest = Pick<ContractRequest, 'method' | 'path' | 'headers' | 'body'>

/** The request that a load sends: one of the contract by its name, or the first that counts. */
export const askedRequest = (contract: ApiContract = petstore, name: string | null): AskedRequest => {
  const asked = contract.requests[name ?? contract.quotas[0].requests[0]]
  if (!asked) throw new Error(`the contract ${contract.name} has no probe ${name}`)
  return asked
}
