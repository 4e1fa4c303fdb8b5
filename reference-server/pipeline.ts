import { type Boom, serverUnavailable } from '@hapi/boom'
import type { Clock } from '../src/kit/clock.js'
import type { Arrival, Behaviour, Call } from './behaviour.js'
import { momentText } from './contract-answers.js'
import { type Answer, jsonAnswer } from './http/answer.js'
import type { RequestHead } from './http/bearer-keys.js'
import { type Charge, decide, type Ruling } from './stores/ruling.js'
import type { LimiterStore } from './stores/store.js'

/** The `code` of an Error body, by HTTP status: the same condition always has the same one (ERR-3). */
const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'banned',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
}

/** The only place that turns an error into the interface's Error body (§2). A bug's message and stack stay inside. */
const errorAnswer = (error: Boom): Answer => {
  const { statusCode, payload, headers } = error.output
  return jsonAnswer(
    statusCode,
    { code: codes[statusCode] ?? 'internal_error', message: payload.message, status: statusCode },
    headers as Answer['headers'],
  )
}

/** The answer to a request that is not let through. */
export const refusalOf = (behaviour: Behaviour, call: Call): Answer =>
  call.ruling.outcome === 'unavailable'
    ? behaviour.errorAnswer(serverUnavailable('the counts of requests are out of reach for the moment'))
    : behaviour.refusal(call)

export const pipelineOf = (behaviour: Behaviour, store: LimiterStore) => {
  const { settle, finish } = behaviour

  const withFields = (call: Call, ruling: Ruling, answer: Answer) => {
    // A request without an account or operation that counts against nothing gets its answer unchanged.
    if (call.charges.length === 0 && (!call.account || call.operation === undefined)) return answer
    const { status, headers, body, reason, undated, breaksOff } = answer
    const fields = behaviour.fields(behaviour.shown(ruling, call), call)
    if (ruling.uncounted) fields['X-Store'] = 'unavailable'
    // A header of the answer itself wins over a field of the same name, in any case.
    for (const field in fields)
      for (const own in headers)
        if (field.length === own.length && field.toLowerCase() === own.toLowerCase()) delete fields[field]
    // Not spread: this is the hot path, and a spread costs a microsecond.
    const whole: Answer = { status, headers: Object.assign(fields, headers), body, reason, undated, breaksOff }
    return finish ? finish(whole, call) : whole
  }

  return {
    /** Identifies the caller, and charges the request. */
    enter(request: RequestHead, operation: string | undefined) {
      const credential = behaviour.credentialOf(request)
      const account = behaviour.accountOf(credential)
      const nowMs = behaviour.nowMs()
      const arrival: Arrival = { request, operation, credential, account, nowMs }
      const charges = behaviour.chargesOf(arrival)
      const ruling = behaviour.meter(store, arrival, charges)
      if (ruling instanceof Promise) return ruling.then((known) => callOf(arrival, charges, known))
      return callOf(arrival, charges, ruling)
    },
    /** The answer to send, with the fields that every answer carries. */
    complete(call: Call, answer: Answer) {
      if (!settle) return withFields(call, call.ruling, answer)
      return whenKnown(settle(store, call, answer.status), (ruling) => withFields(call, ruling, answer))
    },
  }
}

const callOf = (
  { request, operation, credential, account, nowMs }: Arrival,
  charges: readonly Charge[],
  ruling: Ruling,
): Call => ({
  request,
  operation,
  credential,
  account,
  charges,
  nowMs: ruling.decidedAtMs ?? nowMs,
  ruling,
  petId: undefined,
  body: undefined,
})

/** Calls `next` with the value: at once if it is no promise, because a promise costs a turn of the event loop. */
export const whenKnown = <From, To>(value: From | Promise<From>, next: (value: From) => To | Promise<To>) =>
  value instanceof Promise ? value.then(next) : next(value)

/** The behaviour that all servers share. */
export const usualBehaviour = (clock: Clock) =>
  ({
    nowMs: serverTime(clock),
    keepAliveMs: 72_000,
    decide,
    meter: (store, { nowMs }, charges) => store.take(charges, nowMs),
    errorAnswer,
    settle: undefined,
    momentText,
    finish: undefined,
  }) satisfies Partial<Behaviour>

/** The wall clock at the start plus the monotonic clock: windows must not jump when the wall clock is set. */
const serverTime = (clock: Clock) => {
  const offsetMs = clock.wallMs() - clock.monotonicMs()
  return () => offsetMs + clock.monotonicMs()
}
