import { startContractServer } from '../../../reference-server/any/contract-server.js'
import { contractFaults } from '../../../reference-server/any/faults.js'
import { contractVariations } from '../../../reference-server/any/variations.js'
import { faults } from '../../../reference-server/faults/catalogue.js'
import type { RunningServer } from '../../../reference-server/http/listening.js'
import { requireDepartures } from '../../../reference-server/known-departures.js'
import { startReferenceServer } from '../../../reference-server/server.js'
import type { StoreConnection } from '../../../reference-server/stores/shared-store.js'
import { variations } from '../../../reference-server/variations/catalogue.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { fixedQuotas } from '../../contract/plans.js'
import { UsageError } from '../../kit/usage-error.js'
import { thisProgram } from '../../run/machine.js'
import { parseEnterpriseQuota } from '../../run/options/keys.js'
import type { ArgsOf } from '../flags/command.js'
import type { serveSurface } from '../flags/servers.js'
import { givenContract } from '../run/given-contract.js'
import { contractSecrets } from '../serve/contract-secrets.js'
import { publicWarning, whyNotListening } from '../serve/listening-mistakes.js'
import { howToUse, petstoreKeys } from '../serve/petstore-keys.js'
import { givenStore } from '../serve/shared-store.js'

type Args = ArgsOf<typeof serveSurface>

const checkArgs = ({ port, contract, ...args }: Args): void => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port ${port}: a port from 0 to 65535`)
  if (!(args['time-scale'] > 0))
    throw new UsageError(`--time-scale ${args['time-scale']}: a number above 0; 10 makes a minute last 6 s`)
  if (contract !== undefined && args.quota.length > 0)
    throw new UsageError('--quota belongs to petstore: with --contract the limits are those of the file')
  const { 'block-after': blockAfter } = args
  if (blockAfter === undefined) return
  if (contract === undefined)
    throw new UsageError('--block-after needs --contract, with a refusal that says how long it lasts')
  if (!Number.isInteger(blockAfter) || blockAfter < 0)
    throw new UsageError(`--block-after ${blockAfter}: a whole number; 0 blocks with the first request over the limit`)
}

/** What an Enterprise key may spend where nothing was agreed. */
const usualEnterprise = { minute: 3_000, day: 200_000 }

/** Serves petstore. */
const startPetstore = async (args: Args, store?: StoreConnection): Promise<RunningServer> => {
  requireDepartures('fault', args.fault, faults)
  requireDepartures('variation', args.variation, variations)
  const enterprise = parseEnterpriseQuota(args.quota) ?? usualEnterprise
  const { keys, isMadeUp } = petstoreKeys(args.key, process.env, enterprise)
  const server = await startReferenceServer({
    keys,
    quotas: { ...fixedQuotas, enterprise },
    host: args.host,
    port: args.port,
    timeScale: args['time-scale'],
    store,
    algorithm: args.algorithm,
    faults: args.fault,
    variations: args.variation,
  })
  const { url } = server
  const served = {
    url,
    timeScale: args['time-scale'],
    enterprise,
    program: thisProgram(),
    isShared: store !== undefined,
  }
  if (isMadeUp) for (const line of howToUse(keys, served)) process.stderr.write(`${line}\n`)
  return server
}

/** Serves the API of a contract, and tells the secrets that it made up. */
const startContract = (contract: ApiContract, args: Args, store?: StoreConnection): Promise<RunningServer> => {
  requireDepartures('fault', args.fault, contractFaults, contract)
  requireDepartures('variation', args.variation, contractVariations, contract)
  const { secrets, hints } = contractSecrets(contract, args.key, process.env)
  for (const hint of hints) process.stdout.write(`${hint}\n`)
  return startContractServer(contract, {
    secrets,
    host: args.host,
    port: args.port,
    timeScale: args['time-scale'],
    store,
    limiter: args.algorithm,
    blockAfter: args['block-after'],
    faults: args.fault,
    variations: args.variation,
  })
}

const start = async (args: Args, contract: ApiContract | undefined, store: StoreConnection | undefined) =>
  contract ? startContract(contract, args, store) : startPetstore(args, store)

/** Runs the reference server until it is told to stop. */
export const serve = async (args: Args): Promise<void> => {
  checkArgs(args)
  const contract = await givenContract(args)
  const store = await givenStore(args, process.env)
  const server = await start(args, contract, store).catch((error: unknown) => {
    store?.close()
    throw whyNotListening(error, args)
  })
  const warning = publicWarning(args.host)
  if (warning !== undefined) process.stderr.write(`${warning}\n`)
  process.stdout.write(`listening on ${server.url}\n`)
  const stop = () => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error}\n`)
        process.exit(4)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
