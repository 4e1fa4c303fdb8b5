import { forbidden, notFound, tooManyRequests, unauthorized } from '@hapi/boom'
import type { OperationId } from '../../src/contract/petstore/operations.js'
import type { InventoryItem } from '../../src/contract/petstore/schemas.js'
import { type PlanName, windowMs } from '../../src/contract/plans.js'
import type { Behaviour, Call, PetstoreBehaviour } from '../behaviour/behaviour.js'
import { serverTime } from '../behaviour/pipeline.js'
import { momentText } from '../contract/quota-fields.js'
import { type Answer, errorAnswer, jsonAnswer } from '../http/answer.js'
import { accountOfKept, type Credential, keptCredential, keyRing } from '../http/bearer-keys.js'
import { algorithms } from '../limiters/algorithms.js'
import { type Charge, decide, nearestToExhaustion, retryAfterSeconds, type Subject } from '../stores/ruling.js'
import { createInventory, petIdOf, quantityIn, seedInventory } from './inventory.js'
import type { Settings } from './server-options.js'

/** The interface as it is written. `self` gives the behaviour with all departures made. */
export const healthyBehaviour = (settings: Settings, self: () => PetstoreBehaviour): PetstoreBehaviour => ({
  basePath: '/v1',
  nowMs: serverTime(settings.clock),
  keepAliveMs: 72_000,
  credentialOf: keptCredential(),
  accountOf: accountOfKept(keyRing(settings.keys)),
  chargesOf: charges(settings),
  openMeter: algorithms[settings.algorithm],
  decide,
  meter: (store, { nowMs }, charged) => store.take(charged, nowMs),
  letsIn: ({ account }) => account !== undefined,
  unauthorized: challenge,
  refusal: refusals(settings, self),
  operations: operationAnswers(self),
  petIdOf,
  quantityIn,
  inventory: createInventory(settings.inventory ?? seedInventory(20)),
  errorAnswer,
  settle: undefined,
  shown: (ruling) => [nearestToExhaustion(ruling)],
  fields: rateHeaders(self),
  momentText,
  finish: undefined,
})

/** Every key has quotas of its own; requests without a valid key are charged to their address, which is not banned. */
const charges = ({ quotas, timeScale, ban, anonymousPerMinute }: Settings): Behaviour['chargesOf'] => {
  const minuteMs = windowMs('minute', timeScale)
  const anonymous = [{ name: 'minute', limit: anonymousPerMinute, lengthMs: minuteMs }] as const
  const subjectOf = (id: string, plan: PlanName): Subject => {
    const { minute, day } = quotas[plan]
    return {
      id,
      plan,
      windows: [
        { name: 'minute', limit: minute, lengthMs: minuteMs },
        { name: 'day', limit: day, lengthMs: windowMs('day', timeScale) },
      ],
      ban:
        ban === false
          ? undefined
          : {
              threshold: ban.threshold ?? Math.max(1_000, 5 * minute),
              withinMs: minuteMs,
              lengthMs: ban.lengthMs ?? minuteMs,
            },
    }
  }
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

/** Shows one window. Reset is a Unix timestamp in whole seconds, rounded up, so that it is never too early. */
const rateHeaders =
  (self: () => PetstoreBehaviour): Behaviour['fields'] =>
  ([{ window, remaining, resetMs }], { nowMs }) => ({
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': self().momentText('epoch-s', resetMs, nowMs),
  })

/** A 401 asks for a bearer key; where one was shown, it says that it is not valid (RFC 6750 §3.1). */
const challenge = ({ kind }: Credential) => {
  const error = unauthorized(kind === 'none' ? 'an API key is missing' : 'the API key is not valid')
  error.output.headers['WWW-Authenticate'] = kind === 'token' ? 'Bearer error="invalid_token"' : 'Bearer'
  return error
}

/** Refusals. They have to cost less than service, so their bodies are written once. */
const refusals = ({ ban }: Settings, self: () => PetstoreBehaviour): Behaviour['refusal'] => {
  const banStatus = ban === false ? 403 : (ban.status ?? 403)
  const banMessage = 'too many requests were sent after a 429; the key is banned for a while'
  let limited: Answer | undefined
  let banned: Answer | undefined
  return ({ ruling }) => {
    limited ??= self().errorAnswer(tooManyRequests('the rate limit is exceeded; Retry-After names the wait in seconds'))
    banned ??= self().errorAnswer(banStatus === 429 ? tooManyRequests(banMessage) : forbidden(banMessage))
    const answer = ruling.outcome === 'banned' ? banned : limited
    return {
      status: answer.status,
      headers: {
        'Content-Type': 'application/json',
        'Retry-After': String(retryAfterSeconds(ruling)),
        'Cache-Control': 'no-store',
      },
      body: answer.body,
    }
  }
}

/** Since when GET /pets/{petId} is deprecated (RFC 9745), and until when it will answer (RFC 8594). */
const deprecation = { Deprecation: '@1767225600', Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' } as const

/** What each operation answers to a valid key within its limits. */
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

/** The list. Its JSON is written once, and again after a change. */
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
