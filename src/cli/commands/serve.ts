import { randomBytes } from 'node:crypto'
import { startContractServer } from '../../../reference-server/contract-app.js'
import type { ServerOptions } from '../../../reference-server/departed.js'
import { requireDepartures } from '../../../reference-server/faults/catalogue.js'
import type { RunningServer } from '../../../reference-server/http/listening.js'
import { startReferenceServer } from '../../../reference-server/petstore-app.js'
import type { StoreConnection, StoreFailure } from '../../../reference-server/stores/store.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { fixedQuotas, planNames, type Quota } from '../../contract/plans.js'
import { systemClock } from '../../kit/clock.js'
import { UsageError } from '../../kit/usage-error.js'
import { present } from '../../kit/words.js'
import { thisProgram } from '../../run/machine.js'
import { givenKeys, parseEnterpriseQuota, secretsOf, typedKeys } from '../../run/options/keys.js'
import { isLoopbackAddress } from '../../wire/http/pin-address.js'
import type { ArgsOf } from '../flags/command.js'
import type { serverCommands } from '../flags/servers.js'
import { givenContract } from '../run/given-contract.js'

type Args = ArgsOf<typeof serverCommands.serve>
type Place = Pick<Args, 'host' | 'port'>

const sentences: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `--port ${port}: another program listens at ${host}:${port} already; stop it, or use another port: --port 0 takes a free one`,
  EACCES: ({ port }) => `--port ${port}: this user may not listen there; take a port above 1023, such as --port 8080`,
  EADDRNOTAVAIL: ({ host }) =>
    `--host ${host}: this machine has no such address; 127.0.0.1 is its own, 0.0.0.0 means all`,
  ENOTFOUND: ({ host }) => `--host ${host}: no address has that name; 127.0.0.1 is this machine's own`,
  EAI_AGAIN: ({ host }) => `--host ${host}: that name could not be looked up; give the address itself`,
}

/** The error to throw if a server can't listen: a usage error if the address is to blame, else the original error. */
export const whyNotListening = (error: unknown, place: Place): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = sentences[code]
  return sentence === undefined ? error : new UsageError(sentence(place))
}

/** A warning if other machines can reach the server; undefined if only this one can. */
export const publicWarning = (host: string): string | undefined =>
  host === 'localhost' || isLoopbackAddress(host)
    ? undefined
    : `WARNING: --host ${host}: other machines can reach this server; it is made for tests, and speaks no TLS`

/** The requested store, once it answers; undefined if each server keeps its own counts. */
const givenStore = async (args: Args, env: NodeJS.ProcessEnv): Promise<StoreConnection | undefined> => {
  const url = args.store ?? env.QUOTASPEC_STORE
  if (url === undefined || url === '') {
    const lonely = (['store-prefix', 'store-failure', 'store-timeout'] as const).find(
      (flag) => args[flag] !== undefined,
    )
    if (lonely) throw new UsageError(`--${lonely} needs --store redis://HOST:PORT`)
    return undefined
  }
  const { connectRedis } = await import('../../../reference-server/stores/redis-store.js')
  return connectRedis({
    url,
    prefix: args['store-prefix'],
    failure: args['store-failure'],
    timeoutMs: args['store-timeout'] && args['store-timeout'] * 1000,
    clock: systemClock,
    onChange: (reason) => process.stderr.write(`${storeNews(reason, args['store-failure'])}\n`),
  })
}

const storeNews = (reason: string | undefined, failure: StoreFailure = 'closed'): string => {
  if (reason === undefined) return 'the store answers again: requests are counted'
  const meanwhile = failure === 'open' ? 'requests are served uncounted' : 'requests are answered with 503'
  return `the store does not answer (${reason}): ${meanwhile} until it does`
}

/** The secrets that a contract's server accepts, given or made up; with a shell line for each that was made up. */
export const contractSecrets = (contract: ApiContract, flags: readonly string[], environment: NodeJS.ProcessEnv) => {
  const fromFlags = secretsOf(typedKeys(flags), contract)
  const secrets: Record<string, string> = {}
  const hints: string[] = []
  for (const [name, { scheme, env = '' }] of Object.entries(contract.credentials)) {
    if (scheme === 'none') continue
    const given = fromFlags.get(name) ?? environment[env]
    secrets[name] = given || madeUp(name, scheme === 'basic')
    if (!given) hints.push(`export ${env}=${secrets[name]}`)
  }
  return { secrets, hints }
}

/** Contains nothing that is special in a shell. */
const madeUp = (name: string, withUser: boolean): string => {
  const word = name.replaceAll(/[^A-Za-z0-9-]/g, '-')
  return `${word}${withUser ? ':' : '-'}${randomBytes(12).toString('hex')}`
}

/** Finds the keys in flags and environment; if there are none at all, makes one up for each plan. */
export const petstoreKeys = (flags: readonly string[], environment: NodeJS.ProcessEnv, enterprise: Quota) => {
  const given = givenKeys(typedKeys(flags), environment, enterprise)
  if (given.length > 0) return { keys: given.map(({ plan, secret }) => ({ plan, secret })), isMadeUp: false }
  const keys = planNames.map((plan) => ({ plan, secret: `${plan}-${randomBytes(12).toString('hex')}` }))
  return { keys, isMadeUp: true }
}

/** Lines to type to use the keys that were made up. `program`: what to type to start this one. */
export const howToUse = (
  keys: ReturnType<typeof petstoreKeys>['keys'],
  served: Record<'url' | 'program', string> & { timeScale: number; enterprise: Quota; isShared: boolean },
): string[] => {
  const { url, timeScale, enterprise, program, isShared } = served
  const scale = timeScale === 1 ? '' : ` --time-scale ${timeScale}`
  return present(
    'No key was given, so one was made up for each plan. To use them:',
    ...keys.map(({ plan, secret }) => `  export QUOTASPEC_KEY_${plan.toUpperCase()}=${secret}`),
    `  ${program} run smoke --target ${url}${scale} --quota enterprise=minute:${enterprise.minute},day:${enterprise.day}`,
    isShared && 'Give another server that shares the store the same keys: --key PLAN=SECRET',
  )
}

const usualEnterprise = { minute: 3_000, day: 200_000 }

const startPetstore = async (args: Args, both: ServerOptions): Promise<RunningServer> => {
  if (args['block-after'] !== undefined)
    throw new UsageError('--block-after needs --contract, with a refusal that says how long it lasts')
  const enterprise = parseEnterpriseQuota(args.quota) ?? usualEnterprise
  const { keys, isMadeUp } = petstoreKeys(args.key, process.env, enterprise)
  const server = await startReferenceServer({ ...both, keys, quotas: { ...fixedQuotas, enterprise } })
  const usedBy = { program: thisProgram(), isShared: both.store !== undefined }
  const served = { url: server.url, timeScale: args['time-scale'], enterprise, ...usedBy }
  if (isMadeUp) for (const line of howToUse(keys, served)) process.stderr.write(`${line}\n`)
  return server
}

const startContract = async (contract: ApiContract, args: Args, both: ServerOptions): Promise<RunningServer> => {
  if (args.quota.length > 0)
    throw new UsageError('--quota is for the Petstore only: with --contract the limits come from the file')
  const { secrets, hints } = contractSecrets(contract, args.key, process.env)
  for (const hint of hints) process.stdout.write(`${hint}\n`)
  return startContractServer(contract, { ...both, secrets, blockAfter: args['block-after'] })
}

const start = async (args: Args, contract: ApiContract | undefined, store: StoreConnection | undefined) => {
  requireDepartures(args, contract)
  const { host, port, algorithm, fault: faults, variation: variations } = args
  const both = { host, port, timeScale: args['time-scale'], algorithm, store, faults, variations }
  return contract ? startContract(contract, args, both) : startPetstore(args, both)
}

export const serve = async (args: Args): Promise<void> => {
  const contract = await givenContract(args)
  const store = await givenStore(args, process.env)
  const server = await start(args, contract, store).catch((error: unknown) => {
    store?.close()
    throw whyNotListening(error, args)
  })
  const warning = publicWarning(args.host)
  if (warning !== undefined) process.stderr.write(`${warning}\n`)
  process.stdout.write(`listening on ${server.url}\n`)
  // An error here is not caught: it ends the process like any other defect.
  const stop = () => void server.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
