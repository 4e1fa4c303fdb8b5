import type { ApiContract } from '../../src/contract/any/api-contract.js'
import type { ClauseId } from '../../src/contract/clauses.js'
import type { ContractDeparture } from './contract-behaviour.js'

/** An unusual server that keeps the contract all the same: no check may fail on it. */
export interface ContractVariation {
  /** Permanent: tests name it. */
  readonly id: string
  /** What is unusual about it, in the present tense. */
  readonly sentence: string
  /** Whether the server differs at all where it should keep this contract. */
  readonly appliesTo: (contract: ApiContract) => boolean
  readonly depart: ContractDeparture
}

/** A small named departure from any contract, and what an exact checker would find broken. */
export interface ContractFault extends ContractVariation {
  /** The clauses that it breaks, and no other. */
  readonly breaks: readonly ClauseId[]
}
