import { authFaults } from './auth.js'
import { baseFaults } from './base.js'
import { errorFaults } from './errors.js'
import type { Fault } from './fault.js'
import { bodyFaults } from './inventory/bodies.js'
import { effectFaults } from './inventory/effects.js'
import { petFaults } from './inventory/pets.js'
import { refusalFaults } from './inventory/refusals.js'
import { quotaFaults } from './quotas.js'
import { rateHeaderFaults } from './rate-headers.js'
import { schemaFaults } from './schema.js'
import { throttleFaults } from './throttle.js'
import { unreadableFaults } from './unreadable.js'
import { versioningFaults } from './versioning.js'

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
