import { startContractServer } from '../../reference-server/contract-app.js'
import type { ServerOptions } from '../../reference-server/departed.js'
import { requireDepartures } from '../../reference-server/faults/catalogue.js'
import type { RunningServer } from '../../reference-server/http/listening.js'
import { startReferenceServer as startPetstore } from '../../reference-server/petstore-app.js'
import type { ApiContract } from '../contract/api-contract.js'
import { type PlanName, planNames, type Quota } from '../contract/plans.js'
import { UsageError } from '../kit/usage-error.js'
import { checkKeys, givenContract } from './given-options.js'
import type { ContractSource, KeysGiven } from './options.js'

export { UsageError } from '../kit/usage-error.js'
export type { Quota, RunningServer }

/** How requests may be counted: docs/explanation/oracle.md says what each admits. */
export type Algorithm =
  | 'fixed-window'
  | 'fixed-window-first-request'
  | 'sliding-log'
  | 'sliding-counter'
  | 'token-bucket'
  | 'gcra'
  | 'interval-refill'
  | 'interval-refill-idle'

/** What the server serves, to whom, and how. */
export interface ReferenceServerOptions {
  /** The valid secrets, by plan, or by credential of the contract. */
  readonly keys: KeysGiven
  /** The contract to serve, instead of the Petstore. */
  readonly contract?: ContractSource
  /** Quotas of plans that differ from the interface's. Enterprise's default is 3,000 a minute and 200,000 a day. */
  readonly quotas?: Readonly<Partial<Record<PlanName, Quota>>>
  /** Divides every window. Default: 1. */
  readonly timeScale?: number
  /** How requests are counted. Default: fixed-window-first-request, or what the contract says. */
  readonly algorithm?: Algorithm
  /** Faults of the server, as `quotaspec faults` lists them. */
  readonly faults?: readonly string[]
  /** Unusual behaviour that still keeps the interface. */
  readonly variations?: readonly string[]
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: 0, which takes a free one. */
  readonly port?: number
}

/**
 * Starts the reference server, and resolves when it accepts connections at its `url`. The caller must close it.
 *
 * @throws UsageError if an option is unusable.
 */
export const startReferenceServer = async (options: ReferenceServerOptions): Promise<RunningServer> => {
  const { keys, contract: source, faults = [], variations = [], quotas, timeScale = 1, ...rest } = options
  const { contract } = await givenContract(source)
  checkKeys(keys, contract)
  if (!(timeScale > 0)) throw new UsageError('options.timeScale must be a number above 0: 10 makes a minute last 6 s')
  requireDepartures({ fault: faults, variation: variations }, contract, (kind) => `options.${kind}s`)
  const both = { timeScale, faults, variations, ...rest }
  if (contract) return serveContract(contract, options, both)
  const issued = planNames.flatMap((plan) => [keys[plan] ?? []].flat().map((secret) => ({ plan, secret })))
  return startPetstore({ keys: issued, quotas, ...both })
}

/** Serves a contract to its credentials: each that needs a secret has to be given one. */
const serveContract = (
  contract: ApiContract,
  { keys, quotas }: ReferenceServerOptions,
  both: ServerOptions,
): Promise<RunningServer> => {
  if (quotas !== undefined)
    throw new UsageError('options.quotas belongs to petstore: the limits of a contract are its own')
  const secrets = Object.fromEntries(Object.entries(keys).map(([name, secret]) => [name, String(secret)]))
  const missing = Object.entries(contract.credentials).find(
    ([name, { scheme }]) => scheme !== 'none' && secrets[name] === undefined,
  )
  if (missing) throw new UsageError(`options.keys.${missing[0]} is missing: the contract has that credential`)
  return startContractServer(contract, { secrets, ...both })
}
