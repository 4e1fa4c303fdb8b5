import {
  badRequest,
  forbidden,
  methodNotAllowed,
  notFound,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from '@hapi/boom'
import type { FastifyInstance } from 'fastify'
import { type OperationId, openApiPath, openApiText, operations } from '../src/contract/petstore/operations.js'
import { petstore } from '../src/contract/petstore/petstore.js'
import { type InventoryItem, int64 } from '../src/contract/petstore/schemas.js'
import { fixedQuotas, type PlanName, type Quota, windowLengthMs } from '../src/contract/plans.js'
import { systemClock } from '../src/kit/clock.js'
import { exactInteger, isJsonObject, type Json, JsonNumber } from '../src/kit/json.js'
import type { Behaviour, Call, PetstoreBehaviour } from './behaviour.js'
import { quotaFields } from './contract-answers.js'
import { departed, type ServerOptions } from './departed.js'
import { faults, variations } from './faults/catalogue.js'
import { type Answer, jsonAnswer } from './http/answer.js'
import { type AppOptions, httpApp, type Wiring } from './http/app.js'
import { accountOfKept, type Credential, type IssuedKey, keptCredential, keyRing } from './http/bearer-keys.js'
import { listening, type RunningServer } from './http/listening.js'
import { algorithms } from './limiters/algorithms.js'
import { createInventory, jsonIn, seedInventory } from './petstore-inventory.js'
import { usualBehaviour } from './pipeline.js'
import { type BanRule, type Charge, nearestToExhaustion, retryAfterSeconds, type Subject } from './stores/ruling.js'

declare module 'fastify' {
  interface FastifyInstance {
    basePath: string
  }
}

export interface ReferenceServerOptions extends ServerOptions, Pick<AppOptions, 'slowest'> {
  readonly keys?: readonly IssuedKey[]
  /** Quotas that differ from the interface's. Enterprise's default is 3,000 a minute and 200,000 a day. */
  readonly quotas?: Readonly<Partial<Record<PlanName, Quota>>>
  /** Requests per minute for an address without a valid key. Default: 600. */
  readonly anonymousPerMinute?: number
  readonly inventory?: readonly InventoryItem[]
  /**
   * The ban of a key that keeps sending after a 429 (§8.4). Default: after 1,000 refusals in a row or, if that is more, five
   * times the limit, for one minute's window.
   */
  readonly ban?: Partial<Pick<BanRule, 'threshold' | 'lengthMs'>>
}

export const settingsOf = ({ timeScale = 1, clock = systemClock, ...options }: ReferenceServerOptions) => ({
  keys: options.keys ?? [],
  quotas: { ...fixedQuotas, enterprise: { minute: 3_000, day: 200_000 }, ...options.quotas },
  anonymousPerMinute: options.anonymousPerMinute ?? 600,
  timeScale,
  minuteMs: windowLengthMs('minute', timeScale),
  dayMs: windowLengthMs('day', timeScale),
  algorithm: options.algorithm ?? 'fixed-window-first-request',
  clock,
  inventory: options.inventory ?? seedInventory(20),
  ban: options.ban,
})

type Settings = ReturnType<typeof settingsOf>

/** The Petstore as a Fastify app, not yet listening. Throws if an option names an unknown fault or variation. */
export const buildApp = (options: ReferenceServerOptions = {}): FastifyInstance => {
  const settings = settingsOf(options)
  const behaviour = petstoreBehaviour(options, settings)
  const shared = options.store?.open({ scope: 'petstore', algorithmOf: () => settings.algorithm })
  const { app, wire } = httpApp(behaviour, { shared, slowest: options.slowest })
  app.decorate('basePath', behaviour.basePath)
  app.setNotFoundHandler(() => {
    throw notFound('there is nothing here')
  })
  addOperations(app, behaviour, wire)
  // The OpenAPI document is no operation: it needs no key, is not metered and has no rate-limit headers.
  app.get(openApiPath, (_request, reply) => void reply.type('application/json').send(openApiText()))
  return app
}

/** Starts the reference server; resolves once it accepts connections. Its base address ends with /v1. */
export const startReferenceServer = async (options: ReferenceServerOptions = {}): Promise<RunningServer> => {
  const app = buildApp(options)
  return listening(app, options, app.basePath)
}

/** The Petstore's behaviour with the given departures. Throws if one is unknown. */
export const petstoreBehaviour = (given: ReferenceServerOptions, settings: Settings): PetstoreBehaviour => {
  const secrets = settings.keys.map(({ secret }) => secret)
  const around = { contract: petstore, ...settings, secrets, sleep: (ms: number) => settings.clock.sleep(ms) }
  return departed((self) => healthyBehaviour(settings, self), around, { fault: faults, variation: variations }, given)
}

const methods = ['GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Each operation, and a 405 for every other method on its path. */
const addOperations = (app: FastifyInstance, behaviour: PetstoreBehaviour, wire: Wiring): void => {
  for (const { id, method, path } of Object.values(operations)) {
    const url = behaviour.basePath + path.replace('{petId}', ':petId')
    app.route<{ Params: { petId?: string } }>({
      method,
      url,
      onRequest: (request, reply, done) => wire.gate(id, request, reply, done),
      handler(request, reply) {
        const { call, body, params } = request
        if (!call) throw new Error('a request came past the gate')
        call.petId = params.petId
        call.body = Buffer.isBuffer(body) ? body : undefined
        wire.answer(reply, call, behaviour.operations[id](call))
      },
    })
    app.route({
      method: methods.filter((each) => each !== method),
      url,
      onRequest: (request, reply, done) => wire.gate(undefined, request, reply, done),
      handler() {
        const error = methodNotAllowed('this path has no such method')
        error.output.headers.Allow = method === 'GET' ? 'GET, HEAD' : method
        throw error
      },
    })
  }
}

/** The quantity in a PATCH body, any int64 (§8). Throws a 400 for an invalid body, a 415 for another type. */
const quantityIn = (body: Buffer | undefined, contentType: string | undefined): bigint => {
  if (body === undefined || body.length === 0) throw badRequest('the body is missing')
  if (contentType !== undefined && !isJsonType(contentType))
    throw unsupportedMediaType('the body has to be application/json')
  return checkedQuantity(jsonIn(body))
}

const checkedQuantity = (body: Json): bigint => {
  if (!isJsonObject(body)) throw badRequest('the body has to be an object')
  // A quantity in `__proto__` does not count.
  if (!Object.hasOwn(body, 'quantity')) throw badRequest('quantity is missing')
  const { quantity } = body
  const exact = quantity instanceof JsonNumber ? exactInteger(quantity.value) : undefined
  if (exact === undefined) throw badRequest('quantity has to be an integer')
  if (exact < int64.min || exact > int64.max) throw badRequest('quantity has to be within int64')
  return exact
}

const isJsonType = (contentType: string) => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())

/** The petId in a path, an int64 in plain digits, so that each entry has one address. Throws a 400 otherwise. */
const petIdOf = (text: string): bigint => {
  const id = /^(0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || id < int64.min || id > int64.max) throw badRequest('petId has to be an integer within int64')
  return id
}

/** The behaviour that keeps the interface. `self` gives the behaviour with all departures applied. */
export const healthyBehaviour = (settings: Settings, self: () => PetstoreBehaviour): PetstoreBehaviour => ({
  ...usualBehaviour(settings.clock),
  basePath: '/v1',
  credentialOf: keptCredential(),
  accountOf: accountOfKept(keyRing(settings.keys)),
  chargesOf: charges(settings),
  openMeter: algorithms[settings.algorithm],
  letsIn: ({ account }) => account !== undefined,
  unauthorized: challenge,
  refusal: refusals(self),
  operations: operationAnswers(self),
  petIdOf,
  quantityIn,
  inventory: createInventory(settings.inventory),
  shown: (ruling) => [nearestToExhaustion(ruling)],
  fields: quotaFields(petstore, self),
})

/** Every key has its own quotas; requests without a valid key are charged to their address, which is never banned. */
const charges = ({ quotas, minuteMs, dayMs, ban, anonymousPerMinute }: Settings): Behaviour['chargesOf'] => {
  const anonymous = [{ name: 'minute', limit: anonymousPerMinute, windowMs: minuteMs }] as const
  const subjectOf = (id: string, plan: PlanName): Subject => ({
    id,
    plan,
    windows: [
      { name: 'minute', limit: quotas[plan].minute, windowMs: minuteMs },
      { name: 'day', limit: quotas[plan].day, windowMs: dayMs },
    ],
    ban: { threshold: Math.max(1_000, 5 * quotas[plan].minute), withinMs: minuteMs, lengthMs: minuteMs, ...ban },
  })
  const known = new Map<string, readonly Charge[]>()
  return ({ account, request }) => {
    if (!account?.plan) {
      const subject = { id: `address ${request.socket.remoteAddress ?? 'unknown'}`, windows: anonymous }
      return [{ subject, cost: 1 }]
    }
    const charged = known.get(account.id) ?? [{ subject: subjectOf(account.id, account.plan), cost: 1 }]
    known.set(account.id, charged)
    return charged
  }
}

/** A 401 asks for a bearer key; if one was sent, it says that the key is invalid (RFC 6750 §3.1). */
const challenge = ({ kind }: Credential) => {
  const error = unauthorized(kind === 'none' ? 'an API key is missing' : 'the API key is not valid')
  error.output.headers['WWW-Authenticate'] = kind === 'token' ? 'Bearer error="invalid_token"' : 'Bearer'
  return error
}

/** Refusals must cost less than service, so their bodies are written only once. */
const refusals = (self: () => PetstoreBehaviour): Behaviour['refusal'] => {
  let limited: Answer | undefined
  let banned: Answer | undefined
  return ({ ruling }) => {
    limited ??= self().errorAnswer(tooManyRequests('the rate limit is exceeded; Retry-After names the wait in seconds'))
    banned ??= self().errorAnswer(forbidden('too many requests were sent after a 429; the key is banned for a while'))
    const { status, body } = ruling.outcome === 'banned' ? banned : limited
    const headers = {
      'Content-Type': 'application/json',
      'Retry-After': String(retryAfterSeconds(ruling)),
      'Cache-Control': 'no-store',
    }
    return { status, headers, body }
  }
}

/** When GET /pets/{petId} was deprecated (RFC 9745), and when it will stop answering (RFC 8594). */
const deprecation = { Deprecation: '@1767225600', Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' } as const

const operationAnswers = (self: () => PetstoreBehaviour): Readonly<Record<OperationId, (call: Call) => Answer>> => ({
  listInventory: listing(self),
  updateInventory({ petId = '', body, request }) {
    const { petIdOf, quantityIn, inventory } = self()
    const id = petIdOf(petId)
    const quantity = quantityIn(body, request.headers['content-type'])
    const updated = inventory.setQuantity(id, quantity)
    if (!updated) throw notFound('no entry has this petId')
    return jsonAnswer(200, updated)
  },
  getPet({ petId = '' }) {
    const item = self().inventory.find(self().petIdOf(petId))
    if (!item) throw notFound('no pet has this id')
    return jsonAnswer(200, { id: item.petId, status: item.status }, deprecation)
  },
  listOrders: () => jsonAnswer(200, []),
})

/** The list; its JSON is written again only after a change. */
const listing = (self: () => PetstoreBehaviour) => {
  let written: readonly InventoryItem[] | undefined
  let answer: Answer = jsonAnswer(200, [])
  return (): Answer => {
    const items = self().inventory.items()
    if (items !== written) {
      written = items
      answer = jsonAnswer(200, items)
    }
    return answer
  }
}
