import type { ApiContract, ProbeRequest } from './api-contract.js'
import { petstore } from './petstore/petstore.js'

/** A request as loads send it: method, path, and what it carries besides its credential. */
export type AskedRequest = Pick<ProbeRequest, 'method' | 'path' | 'headers' | 'body'>

/** The request that a load sends: one of the contract by its name, or the first that counts. */
export const askedRequest = (contract: ApiContract = petstore, name: string | null): AskedRequest => {
  const asked = contract.probes[name ?? contract.quotas[0].probes[0]]
  if (!asked) throw new Error(`the contract ${contract.name} has no probe ${name}`)
  return asked
}
