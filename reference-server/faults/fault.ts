import type { ApiContract } from '../../src/contract/api-contract.js'
import { type Area, type ClauseId, type ContractClauseId, levelByContract } from '../../src/contract/clauses.js'
import type { AnyDeparture, Departure } from '../behaviour/behaviour.js'

/** A small named departure from the interface, and what an exact checker would find broken. */
export interface Fault {
  /** Permanent: scenarios, tests and the kill matrix name it. */
  readonly id: string
  readonly area: Area
  /** Every must and should clause that it breaks, and no other. */
  readonly breaks: readonly ClauseId[]
  /** What the server does wrong, in the present tense. */
  readonly sentence: string
  readonly depart: Departure
}

/** The faults of one area. */
export const faultsOf = (area: Area, faults: readonly Omit<Fault, 'area'>[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, area }))

/** An unusual server that keeps the interface all the same: no check may fail on it. */
export interface Variation {
  /** Permanent: tests name it. */
  readonly id: string
  /** What is unusual about it, in the present tense. */
  readonly sentence: string
  readonly depart: Departure
}

/** An unusual server that keeps the contract all the same: no check may fail on it. */
export interface ContractVariation {
  /** Permanent: tests name it. */
  readonly id: string
  /** What is unusual about it, in the present tense. */
  readonly sentence: string
  /** Whether the server differs at all where it should keep this contract. */
  readonly appliesTo: (contract: ApiContract) => boolean
  readonly depart: AnyDeparture
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

/** Those with these ids among what goes for any API, for the Petstore's catalogue. */
export const shared = <Entry extends { readonly id: string }>(
  all: readonly Entry[],
  ...ids: readonly string[]
): Entry[] =>
  ids.map((id) => {
    const found = all.find((each) => each.id === id)
    if (!found) throw new Error(`nothing of any API is named ${id}`)
    return found
  })
