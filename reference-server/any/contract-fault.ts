import type { ApiContract } from '../../src/contract/any/api-contract.js'
import type { ClauseId } from '../../src/contract/clauses.js'
import type { ContractDeparture } from './contract-behaviour.js'
import { showsAnything, showsLimit, showsRemaining, showsReset } from './what-contracts-show.js'

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
  /** The clauses that it breaks, and no other; of a contract those that `brokenOf` leaves. */
  readonly breaks: readonly ClauseId[]
}

/** What a contract has to show, or to promise, for a clause to be held against it. */
const needs: Readonly<Partial<Record<ClauseId, (contract: ApiContract) => boolean>>> = {
  'RATE-1': showsAnything,
  'RATE-2': showsLimit,
  'RATE-3': showsRemaining,
  'RATE-4': showsRemaining,
  'RATE-5': showsReset,
  'RATE-6': showsReset,
  'RATE-7': showsAnything,
  'THROTTLE-2': ({ retryAfter }) => retryAfter !== null,
  'THROTTLE-3': ({ retryAfter }) => retryAfter !== null,
  'THROTTLE-4': ({ retryAfter }) => retryAfter !== null,
  'THROTTLE-5': ({ retryAfter }) => retryAfter !== null,
}

/** Of these clauses, those that the contract promises. */
export const brokenOf = (breaks: readonly ClauseId[], contract: ApiContract): ClauseId[] =>
  breaks.filter((id) => needs[id]?.(contract) ?? true)

type Written = Omit<ContractFault, 'appliesTo'> & Partial<Pick<ContractFault, 'appliesTo'>>

/** Faults that apply wherever one of their clauses is promised, and where they say so. */
export const contractFaultsOf = (faults: readonly Written[]): readonly ContractFault[] =>
  faults.map(({ appliesTo = () => true, ...fault }) => ({
    ...fault,
    appliesTo: (contract) => brokenOf(fault.breaks, contract).length > 0 && appliesTo(contract),
  }))
