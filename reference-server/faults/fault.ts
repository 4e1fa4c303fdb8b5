import type { ApiContract } from '../../src/contract/api-contract.js'
import { type Area, type ClauseId, type ContractClauseId, levelByContract } from '../../src/contract/clauses.js'
import { type AnyDeparture, anew, type Departure, together } from '../behaviour.js'

/** An unusual server that still keeps the interface: no check may fail on it. */
export interface Variation {
  /** Permanent: scenarios, tests and the kill matrix name it. */
  readonly id: string
  /** What the server does, in the present tense. */
  readonly sentence: string
  readonly depart: Departure
}

/** A small named departure from the interface, with the clauses that an exact checker would find broken. */
export interface Fault extends Variation {
  readonly area: Area
  /** Exactly the must and should clauses that it breaks. */
  readonly breaks: readonly ClauseId[]
}

/** An unusual server that still keeps the contract: no check may fail on it. */
export interface ContractVariation extends Variation {
  /** Whether it makes a difference on a server of this contract. */
  readonly appliesTo: (contract: ApiContract) => boolean
  readonly depart: AnyDeparture
}

/** A small named departure from any contract, with the clauses that an exact checker would find broken. */
export interface ContractFault extends ContractVariation {
  /** Exactly the clauses that it breaks, before {@link brokenOf} drops those that the contract does not promise. */
  readonly breaks: readonly ContractClauseId[]
  /** Further clauses that it breaks on this contract, whose own loads show them. */
  readonly breaksBesides?: (contract: ApiContract) => readonly ContractClauseId[]
}

/** The clauses that a fault breaks and the contract promises. */
export const brokenOf = (
  { breaks, breaksBesides }: Pick<ContractFault, 'breaks' | 'breaksBesides'>,
  contract: ApiContract,
): ContractClauseId[] =>
  [...(breaksBesides?.(contract) ?? []), ...breaks].filter(
    (id) => (levelByContract(contract, id) ?? 'observe') !== 'observe',
  )

/** A departure's row in a catalogue; its key is the id. */
type Row<Listed> = Omit<Listed, 'id' | 'area'>

/** Completes a row with its departures: `by` one or several, `byEach` for one made anew for each server. */
const departing = <Listed extends { readonly depart: Departure | AnyDeparture }>(row: Omit<Row<Listed>, 'depart'>) => {
  type Depart = Listed['depart']
  const by = (...all: readonly Depart[]) => ({ ...row, depart: together(...(all as Departure[])) }) as Row<Listed>
  const byEach = (make: (...given: Parameters<Depart>) => Depart) => by(anew(make as never))
  return { by, byEach }
}

export const fault = (sentence: string, ...breaks: readonly ClauseId[]) => departing<Fault>({ sentence, breaks })

export const variation = (sentence: string) => departing<Variation>({ sentence })

/** A fault that applies if the contract promises one of these clauses and `isLikeThat` holds. */
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

/** A catalogue as a list, in written order. */
export const listed = <Each extends object>(rows: Readonly<Record<string, Each>>): ({ readonly id: string } & Each)[] =>
  Object.entries(rows).map(([id, row]) => ({ id, ...row }))

export const faultsOf = (area: Area, rows: Readonly<Record<string, Row<Fault>>>): readonly Fault[] =>
  listed(rows).map((row) => ({ ...row, area }))

/** Picks rows for any API by id, for the Petstore's catalogue. */
export const shared = <Rows extends object, Id extends keyof Rows>(rows: Rows, ...ids: readonly Id[]): Pick<Rows, Id> =>
  Object.fromEntries(ids.map((id) => [id, rows[id]])) as Pick<Rows, Id>
