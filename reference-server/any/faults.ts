import type { ContractFault } from './faults/contract-fault.js'
import { fieldFaults } from './faults/fields.js'
import { quotaFaults } from './faults/quotas.js'
import { refusalFaults } from './faults/refusals.js'

/** All faults of a server that should keep a contract. */
export const contractFaults: readonly ContractFault[] = [...quotaFaults, ...fieldFaults, ...refusalFaults]
