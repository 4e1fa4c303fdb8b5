import type { ApiContract } from '../../src/contract/api-contract.js'
import { type ListenOptions, listening, type RunningServer } from '../http/listening.js'
import { createContractApp } from './contract-app.js'
import type { ContractServerOptions } from './contract-options.js'

/** Starts a server that keeps a contract, or departs from it as told; resolves once it accepts connections. */
export const startContractServer = async (
  contract: ApiContract,
  options: ContractServerOptions & ListenOptions,
): Promise<RunningServer> => listening(createContractApp(contract, options), options, '')
