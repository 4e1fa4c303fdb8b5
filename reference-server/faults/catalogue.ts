import type { ApiContract } from '../../src/contract/api-contract.js'
import type { KnownDepartures } from '../departed.js'
import { answerVariations, refusalVariations } from '../variations/answers.js'
import { contractVariationRows } from '../variations/contract-variations.js'
import { limitVariations } from '../variations/limits.js'
import { codingVariations, dateVariations, meteringVariations, transportVariations } from '../variations/transport.js'
import { baseFaults, errorFaults, schemaFaults, unreadableFaults, versioningFaults } from './answers.js'
import { authFaults } from './auth.js'
import { contractFieldFaults, contractRefusalFaults } from './contract-answers.js'
import { contractQuotaFaults } from './contract-quotas.js'
import { brokenOf, type ContractFault, type ContractVariation, type Fault, listed, type Variation } from './fault.js'
import { bodyFaults, effectFaults } from './inventory.js'
import { petFaults, refusalFaults } from './pets.js'
import { storeFaults } from './quota-stores.js'
import { quotaFaults } from './quotas.js'
import { rateHeaderFaults } from './rate-headers.js'
import { throttleFaults } from './throttle.js'

export const faults: readonly Fault[] = [
  ...baseFaults,
  ...schemaFaults,
  ...effectFaults,
  ...bodyFaults,
  ...petFaults,
  ...refusalFaults,
  ...authFaults,
  ...errorFaults,
  ...rateHeaderFaults,
  ...quotaFaults,
  ...storeFaults,
  ...throttleFaults,
  ...unreadableFaults,
  ...versioningFaults,
]

/** All faults of a server that should keep a contract. */
export const contractFaults: readonly ContractFault[] = listed({
  ...contractQuotaFaults,
  ...contractFieldFaults,
  ...contractRefusalFaults,
})

export const contractVariations: readonly ContractVariation[] = listed(contractVariationRows)

export const variations: readonly Variation[] = listed({
  ...limitVariations,
  ...refusalVariations,
  ...answerVariations,
  ...transportVariations,
  ...codingVariations,
  ...dateVariations,
  ...meteringVariations,
})

/** What a server can do otherwise that should keep this contract, or the Petstore's. */
export interface Departures {
  readonly faults: readonly Pick<Fault, 'id' | 'breaks' | 'sentence'>[]
  readonly variations: readonly Pick<Variation, 'id'>[]
  /** Whether each fault of a quota can be told from whatever looks like it; not all of those of any contract can. */
  readonly areTold: boolean
}

export const departuresFor = (contract?: ApiContract): Departures => {
  if (!contract) return { faults, variations, areTold: true }
  const isMeant = ({ appliesTo }: ContractVariation) => appliesTo(contract)
  return {
    faults: contractFaults.filter(isMeant).map((each) => ({ ...each, breaks: brokenOf(each, contract) })),
    variations: contractVariations.filter(isMeant),
    areTold: false,
  }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

const knownTo = (contract: ApiContract, rows: readonly ContractVariation[]): KnownDepartures => ({
  ids: idsOf(rows.filter(({ appliesTo }) => appliesTo(contract))),
  meaningless: idsOf(rows.filter(({ appliesTo }) => !appliesTo(contract))),
  api: contract.name,
})

const petstore = { meaningless: [], api: 'petstore' } as const

/** What a server may be given: one that keeps a contract, or the Petstore's. */
export const knownDepartures = (contract?: ApiContract): Readonly<Record<'fault' | 'variation', KnownDepartures>> =>
  contract
    ? { fault: knownTo(contract, contractFaults), variation: knownTo(contract, contractVariations) }
    : {
        fault: { ...petstore, ids: idsOf(faults), listedBy: 'quotaspec faults lists them' },
        variation: { ...petstore, ids: idsOf(variations) },
      }
