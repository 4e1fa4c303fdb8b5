import { answerVariations, refusalVariations } from '../variations/answers.js'
import { contractVariationRows } from '../variations/contract-variations.js'
import { limitVariations } from '../variations/limits.js'
import { codingVariations, dateVariations, meteringVariations, transportVariations } from '../variations/transport.js'
import { baseFaults, errorFaults, schemaFaults, unreadableFaults, versioningFaults } from './answers.js'
import { authFaults } from './auth.js'
import { contractFieldFaults, contractRefusalFaults } from './contract-answers.js'
import { contractQuotaFaults } from './contract-quotas.js'
import { type ContractFault, type ContractVariation, type Fault, listed, type Variation } from './fault.js'
import { bodyFaults, effectFaults } from './inventory.js'
import { petFaults, refusalFaults } from './pets.js'
import { quotaFaults } from './quotas.js'
import { rateHeaderFaults } from './rate-headers.js'
import { throttleFaults } from './throttle.js'

/** All faults, by area. */
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

/** All conforming variations of a server that keeps a contract. */
export const contractVariations: readonly ContractVariation[] = listed(contractVariationRows)

/** All conforming variations. */
export const variations: readonly Variation[] = listed({
  ...limitVariations,
  ...refusalVariations,
  ...answerVariations,
  ...transportVariations,
  ...codingVariations,
  ...dateVariations,
  ...meteringVariations,
})
