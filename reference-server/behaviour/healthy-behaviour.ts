import { forbidden, tooManyRequests, unauthorized } from '@hapi/boom'
import { windowMs } from '../../src/contract/plans.js'
import { accountOfKept, type Credential, keptCredential } from '../access/credential.js'
import { type Account, keyRing } from '../access/key-ring.js'
import { type Answer, errorAnswer } from '../http/answer.js'
import { createInventory, seedInventory } from '../inventory/inventory.js'
import { petIdOf, quantityIn } from '../inventory/update-body.js'
import { algorithms } from '../limiters/algorithms.js'
import { rateHeaders, retryAfterSeconds } from '../metering/rate-headers.js'
import { decide, nearestToExhaustion, type Subject } from '../metering/ruling.js'
import { operationAnswers } from '../pipeline/operation-answers.js'
import type { Settings } from '../server-options.js'
import { serverTime } from '../server-time.js'
import type { Behaviour } from './behaviour.js'

/** The interface as it is written. `self` gives the behaviour with all departures made. */
export const healthyBehaviour = (settings: Settings, self: () => Behaviour): Behaviour => ({
  basePath: '/v1',
  nowMs: serverTime(settings.clock),
  keepAliveMs: 72_000,
  credentialOf: keptCredential(),
  accountOf: accountOfKept(keyRing(settings.keys)),
  subjectOf: subjects(settings),
  openMeter: algorithms[settings.algorithm],
  decide,
  meter: (store, { nowMs }, subject) => store.take(subject, nowMs),
  letsIn: ({ account }) => account !== undefined,
  unauthorized: challenge,
  refusal: refusals(settings, self),
  operations: operationAnswers(self),
  petIdOf,
  quantityIn,
  inventory: createInventory(settings.inventory ?? seedInventory(20)),
  errorAnswer,
  settle: undefined,
  shownWindow: nearestToExhaustion,
  rateHeaders,
  finish: undefined,
})

/** Every key has quotas of its own; requests without a valid key are charged to their address, which is not banned. */
const subjects = ({ quotas, timeScale, ban, anonymousPerMinute }: Settings): Behaviour['subjectOf'] => {
  const minuteMs = windowMs('minute', timeScale)
  const anonymous = [{ name: 'minute', limit: anonymousPerMinute, lengthMs: minuteMs }] as const
  const subjectOf = ({ id, plan }: Account): Subject => {
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
  const known = new Map<string, Subject>()
  return ({ account, request }) => {
    if (!account) return { id: `address ${request.socket.remoteAddress ?? 'unknown'}`, windows: anonymous }
    const subject = known.get(account.id) ?? subjectOf(account)
    known.set(account.id, subject)
    return subject
  }
}

/** A 401 asks for a bearer key; where one was shown, it says that it is not valid (RFC 6750 §3.1). */
const challenge = ({ kind }: Credential) => {
  const error = unauthorized(kind === 'none' ? 'an API key is missing' : 'the API key is not valid')
  error.output.headers['WWW-Authenticate'] = kind === 'token' ? 'Bearer error="invalid_token"' : 'Bearer'
  return error
}

/** Refusals. They have to cost less than service, so their bodies are written once. */
const refusals = ({ ban }: Settings, self: () => Behaviour): Behaviour['refusal'] => {
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
