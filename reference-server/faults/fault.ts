import type { ApiContract } from '../../src/contract/api-contract.js'
import { type Area, type ClauseId, type ContractClauseId, levelByContract } from '../../src/contract/clauses.js'
import { type AnyDeparture, anew, type Departure, together } from '../behaviour.js'

/** An unusual server that keeps the interface all the same: no check may fail on it. */
export interface Variation {
  /** Permanent: scenarios, tests and the kill matrix name it. */
  readonly id: string
  /** What the server does, in the present tense. */
  readonly sentence: string
  readonly depart: Departure
}

/** A small named departure from the interface, and what an exact checker would find broken. */
export interface Fault extends Variation {
  readonly area: Area
  /** Every must and should clause that it breaks, and no other. */
  readonly breaks: readonly ClauseId[]
}

/** An unusual server that keeps the contract all the same: no check may fail on it. */
export interface ContractVariation extends Variation {
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

/** What a catalogue says of a departure; its key is the id. */
type Row<Listed> = Omit<Listed, 'id' | 'area'>

/** A row that lacks no more than how the server departs: in one or several ways, or in one that is made anew for each server. */
const departing = <Listed extends { readonly depart: Departure | AnyDeparture }>(row: Omit<Row<Listed>, 'depart'>) => {
  type Depart = Listed['depart']
  const by = (...all: readonly Depart[]) => ({ ...row, depart: together(...(all as Departure[])) }) as Row<Listed>
  const byEach = (make: (...given: Parameters<Depart>) => Depart) => by(anew(make as never))
  return { by, byEach }
}

/** A fault that breaks these clauses. */
export const fault = (sentence: string, ...breaks: readonly ClauseId[]) => departing<Fault>({ sentence, breaks })

export const variation = (sentence: string) => departing<Variation>({ sentence })

/** A fault that applies wherever one of these clauses is promised, and the contract is like that. */
export const contractFault = (
  sentence: string,
  breaks: ContractFault['breaks'],
  isLikeThat: ContractFault['appliesTo'] = () => true,
  breaksBesides?: ContractFault['breaksBesides'],
) => {
  const appliesTo = (contract: ApiContract) =>
    brokenOf({ breaks, breaksBesides }, contract).length > 0 && isLikeThat(contract)
  return departing<ContractFault>({ sentence, breaks, breaksBesides, appliesTo })
}

export const contractVariation = (sentence: string, appliesTo: ContractVariation['appliesTo'] = () => true) =>
  departing<ContractVariation>({ sentence, appliesTo })

/** A catalogue as a list, in the order in which it is written. */
export const listed = <Each extends object>(rows: Readonly<Record<string, Each>>): ({ readonly id: string } & Each)[] =>
  Object.entries(rows).map(([id, row]) => ({ id, ...row }))

export const faultsOf = (area: Area, rows: Readonly<Record<string, Row<Fault>>>): readonly Fault[] =>
  listed(rows).map((row) => ({ ...row, area }))

/** Those with these ids among what goes for any API, for the Petstore's catalogue. */
export const shared = <Rows extends object, Id extends keyof Rows>(rows: Rows, ...ids: readonly Id[]): Pick<Rows, Id> =>
  Object.fromEntries(ids.map((id) => [id, rows[id]])) as Pick<Rows, Id>
