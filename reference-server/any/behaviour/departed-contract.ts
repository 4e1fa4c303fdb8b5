import type { ApiContract } from '../../../src/contract/api-contract.js'
import { type Answer, jsonAnswer } from '../../http/answer.js'
import { algorithms } from '../../limiters/algorithms.js'
import { decideJointly, nearestToExhaustion } from '../../metering/ruling.js'
import { whenKnown } from '../../pipeline/pipeline.js'
import { serverTime } from '../../server-time.js'
import { requireSharedCounting } from '../../stores/shared-store.js'
import { quotaCharges, quotaLimiters } from '../charging/quota-charges.js'
import { type ContractServerOptions, type ContractSettings, contractSettingsOf } from '../contract-options.js'
import { contractFaults } from '../faults.js'
import { momentText, quotaFields } from '../quota-fields.js'
import { refusalAnswers } from '../refusal-answers.js'
import { contractVariations } from '../variations.js'
import type { ContractBehaviour, ContractCall, ContractDeparture, ContractSurroundings } from './contract-behaviour.js'

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

/** The contract as it is written. `self` gives the behaviour with all departures made. */
const keptContract = (
  contract: ApiContract,
  settings: ContractSettings,
  self: () => ContractBehaviour,
): ContractBehaviour => {
  const write = quotaFields(contract)
  const limiters = quotaLimiters(contract, settings)
  return {
    nowMs: serverTime(settings.clock),
    chargesOf: quotaCharges(contract, settings),
    openMeter: (window, nowMs) => algorithms[limiters.get(window.name) ?? 'fixed-window'](window, nowMs),
    decide: decideJointly,
    served: servedAnswers(contract),
    refusal: refusalAnswers(contract),
    shown: ({ windows }) => windows,
    fields(all, { ruling, nowMs }) {
      if (all.length === 0) return {}
      const nearest = nearestToExhaustion({ ...ruling, windows: all })
      return write({ all, nearest, moment: (unit, atMs) => self().momentText(unit, atMs, nowMs) })
    },
    momentText,
    finish: undefined,
  }
}

/** A small body for each probe, and the first of the statuses that stand for service. */
const servedAnswers = ({ requests }: ApiContract) => {
  const answers = new Map<string, Answer>()
  for (const [
    name,
    {
      expect: [status = 200],
    },
  ] of Object.entries(requests)) {
    answers.set(
      name,
      status === 204 || status === 304 ? { status, headers: {}, body: '' } : jsonAnswer(status, { probe: name }),
    )
  }
  return ({ probe }: ContractCall): Answer => answers.get(probe) ?? jsonAnswer(200, { probe })
}
