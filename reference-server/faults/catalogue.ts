import { answerVariations, refusalVariations } from '../variations/answers.js'
import { limitVariations } from '../variations/limits.js'
import { dateVariations, meteringVariations } from '../variations/moments.js'
import { codingVariations, transportVariations } from '../variations/transport.js'
import { authFaults } from './auth.js'
import { baseFaults, schemaFaults, versioningFaults } from './base.js'
import { contractFieldFaults } from './contract-fields.js'
import { contractQuotaFaults } from './contract-quotas.js'
import { contractRefusalFaults } from './contract-refusals.js'
import { errorFaults } from './errors.js'
import type { ContractFault, Fault, Variation } from './fault.js'
import { bodyFaults, effectFaults } from './inventory.js'
import { petFaults, refusalFaults } from './pets.js'
import { quotaFaults } from './quotas.js'
import { rateHeaderFaults } from './rate-headers.js'
import { throttleFaults } from './throttle.js'
import { unreadableFaults } from './unreadable.js'

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
export const contractFaults: readonly ContractFault[] = [
  ...contractQuotaFaults,
  ...contractFieldFaults,
  ...contractRefusalFaults,
]

/** All conforming variations. */
export const variations: readonly Variation[] = [
  ...limitVariations,
  ...refusalVariations,
  ...answerVariations,
  ...transportVariations,
  ...codingVariations,
  ...dateVariations,
  ...meteringVariations,
]
