import type { ContractFault } from './contract-fault.js'

/** All faults of a server that should keep a contract. */
export const contractFaults: readonly ContractFault[] = []
