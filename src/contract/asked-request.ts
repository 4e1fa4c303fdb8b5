import type { ApiContract, ProbeRequest } from './api-contract.js'
import { operations } from './petstore/operations.js'

/** A request as loads send it: method, path, and what it carries besides its credential. */
export type AskedRequest = Pick<ProbeRequest, 'method' | 'path' | 'headers' | 'body'>

/** The request that a load sends: a probe of the contract file by its name, or the list of the bundled contract. */
export const askedRequest = (contract: ApiContract | undefined, name: string | null): AskedRequest => {
  if (!contract) return { method: operations.listInventory.method, path: operations.listInventory.path, headers: {} }
  const asked = contract.probes[name ?? '']
  if (!asked) throw new Error(`the contract ${contract.name} has no probe ${name}`)
  return asked
}
