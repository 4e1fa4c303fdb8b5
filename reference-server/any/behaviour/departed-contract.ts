import type { ApiContract } from '../../../src/contract/api-contract.js'
import { whenKnown } from '../../pipeline/pipeline.js'
import { requireSharedCounting } from '../../stores/shared-store.js'
import { type ContractServerOptions, contractSettingsOf } from '../contract-options.js'
import { contractFaults } from '../faults.js'
import { contractVariations } from '../variations.js'
import type { ContractBehaviour, ContractDeparture, ContractSurroundings } from './contract-behaviour.js'
import { keptContract } from './kept-contract.js'

interface Named {
  readonly id: string
  readonly appliesTo: (contract: ApiContract) => boolean
  readonly depart: ContractDeparture
}

/** The kept contract, with the variations and then the faults put in. Throws where an id is unknown or means nothing here. */
export const departedContract = (contract: ApiContract, options: ContractServerOptions): ContractBehaviour => {
  const departureOf = (kind: 'fault' | 'variation', id: string, catalogue: readonly Named[]) => {
    const found = catalogue.find((each) => each.id === id)
    if (!found) throw new Error(`there is no ${kind} named ${id}`)
    if (!found.appliesTo(contract)) throw new Error(`the ${kind} ${id} means nothing to the contract ${contract.name}`)
    return { kind, id, depart: found.depart }
  }
  const departures = [
    ...(options.variations ?? []).map((id) => departureOf('variation', id, contractVariations)),
    ...(options.faults ?? []).map((id) => departureOf('fault', id, contractFaults)),
  ]
  const settings = contractSettingsOf(options)
  const surroundings: ContractSurroundings = {
    contract,
    settings,
    sleep: (ms) => settings.clock.sleep(ms),
    self: () => behaviour,
  }
  let behaviour = keptContract(contract, settings, surroundings.self)
  for (const { kind, id, depart } of departures) {
    const departed = depart(behaviour, surroundings)
    if (options.store) requireSharedCounting(kind, id, departed)
    behaviour = { ...behaviour, ...departed, finish: inTurn(behaviour.finish, departed.finish) }
  }
  return behaviour
}

/** Where several departures change answers last of all, each changes what the one before made. */
const inTurn = (
  first: ContractBehaviour['finish'],
  second: ContractBehaviour['finish'],
): ContractBehaviour['finish'] => {
  if (!first || !second) return second ?? first
  return (answer, call) => whenKnown(first(answer, call), (finished) => second(finished, call))
}
