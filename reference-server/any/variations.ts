import type { ContractVariation } from './contract-fault.js'

/** All conforming variations of a server that keeps a contract. */
export const contractVariations: readonly ContractVariation[] = []
