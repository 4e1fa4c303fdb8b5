import { hash, randomBytes } from 'node:crypto'
import { notFound, unauthorized } from '@hapi/boom'
import type { FastifyInstance } from 'fastify'
import type { ApiContract, CredentialSpec, QuotaSpec } from '../src/contract/api-contract.js'
import type { ModelName } from '../src/contract/limiter-models.js'
import { countsAgainst, countsByAddress, partitionOf } from '../src/contract/partitions.js'
import { systemClock } from '../src/kit/clock.js'
import { groupedBy } from '../src/kit/grouped-by.js'
import type { Arrival, Behaviour, Call } from './behaviour.js'
import { blockRuleOf, quotaFields, refusalAnswers } from './contract-answers.js'
import { departed, type ServerOptions } from './departed.js'
import { contractFaults, contractVariations } from './faults/catalogue.js'
import { type Answer, jsonAnswer } from './http/answer.js'
import { httpApp } from './http/app.js'
import { isRepeated, type RequestHead } from './http/bearer-keys.js'
import { listening, type RunningServer } from './http/listening.js'
import { algorithms, capacityOf } from './limiters/algorithms.js'
import { usualBehaviour } from './pipeline.js'
import type { Charge } from './stores/ruling.js'
import type { Counting } from './stores/store.js'

export interface ContractServerOptions extends ServerOptions {
  /** The secret that clients send for each credential; `user:password` for basic, none for the scheme `none`. */
  readonly secrets: Readonly<Record<string, string>>
  /**
   * How many refusals in a row do not cause a block yet, if the contract has one. Default: 0 for the quota's own rule; for a
   * ban the limit, so that only clients that send twice the limit are banned.
   */
  readonly blockAfter?: number
}

/** Finds the credential of a request; undefined for a wrong one. Throws if a secret is missing or used twice. */
const whoAsks = (credentials: ApiContract['credentials'], secrets: Readonly<Record<string, string>>) => {
  const salt = randomBytes(32).toString('hex')
  const digest = (place: string, secret: string) => hash('sha256', `${salt} ${place} ${secret}`, 'base64')
  const owners = new Map<string, string>()
  const places = new Map<string, CredentialSpec>()
  let anonymous: string | undefined
  for (const [name, spec] of Object.entries(credentials)) {
    if (spec.scheme === 'none') {
      anonymous ??= name
      continue
    }
    const secret = secrets[name]
    if (!secret) throw new Error(`the credential ${name} has no secret`)
    const place = placeOf(spec)
    const known = digest(place, secret)
    if (owners.has(known)) throw new Error(`the credentials ${owners.get(known)} and ${name} have the same secret`)
    owners.set(known, name)
    places.set(place, spec)
  }
  return (request: RequestHead): string | undefined => {
    const shown = [...places].flatMap(([place, spec]) => {
      const secret = shownSecret(request, spec)
      return secret === undefined ? [] : [owners.get(digest(place, secret))]
    })
    // With a wrong credential next to a right one, either choice would be a guess.
    if (shown.length === 0) return request.headers.authorization === undefined ? anonymous : undefined
    return shown.every((each) => each === shown[0]) ? shown[0] : undefined
  }
}

/** Where a credential is sent; several credentials of a contract may use the same place. */
const placeOf = ({ scheme, name = '' }: CredentialSpec) =>
  `${scheme} ${scheme === 'header' ? name.toLowerCase() : name}`

const shownSecret = (request: RequestHead, { scheme, name = '' }: CredentialSpec): string | undefined => {
  switch (scheme) {
    case 'bearer':
      return authorized(request, /^bearer +([^\s,]+)$/i)
    case 'basic': {
      const encoded = authorized(request, /^basic +([A-Za-z0-9+/]+={0,2})$/i)
      return encoded && Buffer.from(encoded, 'base64').toString()
    }
    case 'header':
      return request.headers[name.toLowerCase()]?.toString()
    case 'query':
      return new URLSearchParams(request.url?.split('?')[1]).get(name) ?? undefined
    case 'cookie':
      return cookieNamed(name, request.headers.cookie)
    case 'none':
      return undefined
  }
}

/** The text after the scheme, if it is that scheme; empty if there are two headers, because either choice would be a guess. */
const authorized = (request: RequestHead, form: RegExp): string | undefined => {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  return isRepeated('authorization', request) ? '' : form.exec(authorization)?.[1]
}

const cookieNamed = (name: string, cookies: string | undefined): string | undefined =>
  cookies
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The challenge of a 401 (RFC 9110 §11.6.1). */
const challengeOf = (credentials: ApiContract['credentials']): string => {
  const schemes = new Set(Object.values(credentials).map(({ scheme }) => scheme))
  const offered = [schemes.has('bearer') && 'Bearer', schemes.has('basic') && 'Basic realm="api"'].filter(Boolean)
  return offered.join(', ') || 'ApiKey'
}

const contractSettingsOf = (options: ContractServerOptions) => ({
  ...options,
  timeScale: options.timeScale ?? 1,
  clock: options.clock ?? systemClock,
})

/** The limiter of each quota, by its id: the requested one, or the first that the contract allows. */
const limitersOf =
  ({ quotas }: ApiContract, { algorithm }: Pick<ServerOptions, 'algorithm'>) =>
  (id: string): ModelName =>
    algorithm ?? quotas.find((quota) => quota.id === id)?.models[0] ?? 'fixed-window'

/**
 * A service that keeps a contract, not yet listening. Throws if a credential has no secret, or a departure does not apply.
 * Other requests, and those without a valid credential, count against nothing.
 */
export const createContractApp = (contract: ApiContract, options: ContractServerOptions): FastifyInstance => {
  const settings = contractSettingsOf(options)
  const around = { contract, secrets: Object.values(settings.secrets), sleep: (ms: number) => settings.clock.sleep(ms) }
  const catalogues = { fault: contractFaults, variation: contractVariations }
  const algorithmOf = limitersOf(contract, settings)
  const kept = (self: () => Behaviour) => keptContract(contract, settings, algorithmOf, self)
  const behaviour = departed(kept, around, catalogues, options)
  const shared = options.store?.open({ scope: contract.name, algorithmOf })
  const { app, wire } = httpApp(behaviour, { shared })
  const nameOf = requestedName(contract.requests)
  const served = servedAnswers(contract)
  app.all('*', (request, reply) => {
    const { raw, body } = request
    const name = nameOf(raw.method ?? '', raw.url ?? '', Buffer.isBuffer(body) ? body.toString() : '')
    wire.gate(name, request, reply, (error) => {
      const { call } = request
      if (error || name === undefined || !call) wire.fail(error ?? notFound('there is nothing here'), request, reply)
      else wire.answer(reply, call, served(call))
    })
  })
  return app
}

/** Starts a server that keeps a contract, except for the given departures; resolves once it accepts connections. */
export const startContractServer = async (
  contract: ApiContract,
  options: ContractServerOptions,
): Promise<RunningServer> => listening(createContractApp(contract, options), options, '')

type ContractSettings = ReturnType<typeof contractSettingsOf>

/** Finds what a request counts against, and its cost there. */
const quotaCharges = (contract: ApiContract, settings: ContractSettings) => {
  const { timeScale } = settings
  const limiterOf = limitersOf(contract, settings)
  return ({ request, account, operation }: Arrival): readonly Charge[] => {
    if (!account || operation === undefined || isRepeated('host', request)) return []
    return contract.quotas.flatMap((quota) => {
      if (!countsAgainst(quota, account.id, operation)) return []
      const limit = quota.limit[account.id]
      const windowMs = quota.windowMs / timeScale
      const burst = capacityOf(contract, quota.id, limiterOf(quota.id))
      const subject = {
        id: `${quota.id} ${ofWhom(quota, request, account.id, operation)}`,
        windows: [{ name: quota.id, limit, windowMs, burst }],
        ban: blockOf(contract, settings, limit, windowMs),
      }
      return [{ subject, cost: quota.cost[operation] ?? 1 }]
    })
  }
}

const ofWhom = (quota: QuotaSpec, request: RequestHead, credential: string, operation: string): string =>
  countsByAddress(quota)
    ? `${request.socket.remoteAddress ?? 'unknown'} ${partitionOf(quota, credential, operation)}`
    : partitionOf(quota, credential, operation)

/** The block for clients that keep sending after refusals; undefined if the contract gives no length. */
const blockOf = (
  contract: ApiContract,
  { timeScale, blockAfter }: ContractSettings,
  limit: number,
  windowMs: number,
): Charge['subject']['ban'] => {
  const { is, lastsMs } = blockRuleOf(contract) ?? {}
  if (lastsMs === undefined) return undefined
  return { threshold: blockAfter ?? (is === 'quota' ? 0 : limit), withinMs: windowMs, lengthMs: lastsMs / timeScale }
}

/** The behaviour that keeps the contract. `self` gives the behaviour with all departures applied. */
const keptContract = (
  contract: ApiContract,
  settings: ContractSettings,
  algorithmOf: Counting['algorithmOf'],
  self: () => Behaviour,
): Behaviour => {
  const who = whoAsks(contract.credentials, settings.secrets)
  const challenge = challengeOf(contract.credentials)
  return {
    ...usualBehaviour(settings.clock),
    credentialOf(request) {
      const name = who(request)
      return name === undefined ? { kind: 'none' } : { kind: 'token', token: name }
    },
    accountOf: (credential) => (credential.kind === 'token' ? { id: credential.token } : undefined),
    chargesOf: quotaCharges(contract, settings),
    openMeter: (window, nowMs) => algorithms[algorithmOf(window.name)](window, nowMs),
    // Anybody may learn that a path does not exist.
    letsIn: ({ account, operation }) => account !== undefined || operation === undefined,
    unauthorized() {
      const error = unauthorized('a credential is missing, or not valid')
      error.output.headers['WWW-Authenticate'] = challenge
      return error
    },
    refusal: refusalAnswers(contract),
    shown: ({ windows }) => windows,
    fields: quotaFields(contract, self),
  }
}

const servedAnswers = ({ requests }: ApiContract) => {
  const answers = new Map<string, Answer>()
  for (const [name, { expect }] of Object.entries(requests)) {
    const [status = 200] = expect
    const isEmpty = status === 204 || status === 304
    answers.set(name, isEmpty ? { status, headers: {}, body: '' } : jsonAnswer(status, { probe: name }))
  }
  return ({ operation = '' }: Call): Answer => answers.get(operation) ?? jsonAnswer(200, { probe: operation })
}

interface Known {
  readonly name: string
  readonly target: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/** Finds requests by method and path and, if several share both, by body and query. */
const requestedName = (requests: ApiContract['requests']) => {
  const all = Object.entries(requests).map(([name, { method, path, body }]): Known => {
    const url = urlOf(path)
    if (!url) throw new Error(`the path of the request ${name} can't be read: ${path}`)
    return { name, target: targetOf(method, url), query: [...url.searchParams], body }
  })
  const byTarget = groupedBy(all, ({ target }) => target)
  return (method: string, target: string, body: string): string | undefined => {
    const url = urlOf(target)
    const known = url && byTarget.get(targetOf(method, url))
    if (!known) return undefined
    const fits = ({ query, body: own }: Known) =>
      (own !== undefined && own === body ? 1_000 : 0) +
      query.reduce((sum, [key, value]) => sum + (url.searchParams.getAll(key).includes(value) ? 1 : -1), 0)
    return known.reduce((best, each) => (fits(each) > fits(best) ? each : best)).name
  }
}

/** Percent-encoded letters equal plain ones (RFC 3986 §6.2.2.2). */
const targetOf = (method: string, { pathname }: URL): string => `${method.toUpperCase()} ${decodeURI(pathname)}`

/** A path as a URL; `//x` is a path too, though it looks like a host. Undefined if it can't be decoded. */
const urlOf = (path: string): URL | undefined => {
  try {
    const url = new URL(`http://localhost${path.startsWith('/') ? '' : '/'}${path}`)
    decodeURI(url.pathname)
    return url
  } catch {
    return undefined
  }
}
