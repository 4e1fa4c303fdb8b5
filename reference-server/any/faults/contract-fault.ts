import type { ApiContract } from '../../../src/contract/api-contract.js'
import { type ContractClauseId, levelByContract } from '../../../src/contract/clauses.js'
import type { ContractDeparture } from '../contract-options.js'

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
  readonly breaks: readonly ContractClauseId[]
  /** What it breaks besides where a contract is like that: the contract's own loads show it. */
  readonly breaksBesides?: (contract: ApiContract) => readonly ContractClauseId[]
}

/** Of the clauses that a fault breaks, those that the contract promises. */
export const brokenOf = (
  { breaks, breaksBesides }: Pick<ContractFault, 'breaks' | 'breaksBesides'>,
  contract: ApiContract,
): ContractClauseId[] =>
  [...(breaksBesides?.(contract) ?? []), ...breaks].filter(
    (id) => (levelByContract(contract, id) ?? 'observe') !== 'observe',
  )

type Written = Omit<ContractFault, 'appliesTo'> & Partial<Pick<ContractFault, 'appliesTo'>>

/** Faults that apply wherever one of their clauses is promised, and where they say so. */
export const contractFaultsOf = (faults: readonly Written[]): readonly ContractFault[] =>
  faults.map(({ appliesTo = () => true, ...fault }) => ({
    ...fault,
    appliesTo: (contract) => brokenOf(fault, contract).length > 0 && appliesTo(contract),
  }))
