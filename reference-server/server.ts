import type { ApiContract } from '../src/contract/api-contract.js'
import { createContractApp } from './contract-app.js'
import { listening, type RunningServer } from './http/listening.js'
import { buildApp, type ReferenceServerOptions } from './petstore-app.js'
import type { ContractServerOptions } from './quota-charges.js'

export type { RunningServer } from './http/listening.js'

/** Starts the reference server; resolves once it accepts connections. Its base address ends with /v1. */
export const startReferenceServer = async (options: ReferenceServerOptions = {}): Promise<RunningServer> => {
  const app = buildApp(options)
  return listening(app, options, app.basePath)
}

/** Starts a server that keeps a contract, except for the given departures; resolves once it accepts connections. */
export const startContractServer = async (
  contract: ApiContract,
  options: ContractServerOptions,
): Promise<RunningServer> => listening(createContractApp(contract, options), options, '')
