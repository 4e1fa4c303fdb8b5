import { authFaults } from './auth.js'
import { baseFaults, versioningFaults } from './base.js'
import { bodyFaults } from './bodies.js'
import { effectFaults } from './effects.js'
import { errorFaults } from './errors.js'
import type { Fault } from './fault.js'
import { petFaults } from './pets.js'
import { quotaFaults } from './quotas.js'
import { rateHeaderFaults } from './rate-headers.js'
import { refusalFaults } from './refused-requests.js'
import { schemaFaults } from './schema.js'
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
